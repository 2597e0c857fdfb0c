package headtohead.forum;

import java.util.Optional;

/** The source of the objects of pages. */
public interface Forum {
    /** The board whose index is served. */
    int MAIN_BOARD = 1;

    /** Returns the data of the index of the main board. */
    Index index();

    /** Returns an article with its author, empty if there is none of that number. */
    Optional<SignedArticle> article(int id);
}
