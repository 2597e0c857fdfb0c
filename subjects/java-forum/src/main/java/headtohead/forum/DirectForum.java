package headtohead.forum;

import java.util.Optional;

/** Queries the database for every object of every page: the forum without an object cache. */
public final class DirectForum implements Forum {
    private final Database database;

    /** Queries this database. */
    public DirectForum(Database database) {
        this.database = database;
    }

    @Override
    public Index index() {
        Board board = database.board(MAIN_BOARD).orElseThrow();
        return new Index(board, database.posts(MAIN_BOARD, board.indexFrom()));
    }

    @Override
    public Optional<SignedArticle> article(int id) {
        return database.signedArticle(id);
    }
}
