package headtohead.forum;

import java.util.Optional;

/** Where the objects come from that pages are made of. */
public interface Forum {
    /** The board whose index is served. */
    int MAIN_BOARD = 1;

    /** Returns what the index of the main board is made of. */
    Index index();

    /** Returns an article with its author, nothing where there is none of that number. */
    Optional<SignedArticle> article(int id);
}
