package headtohead.forum;

import java.sql.SQLException;

/** A query failed; the response to the request has status 500. */
public final class DatabaseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Holds the query, and why it failed. */
    public DatabaseException(String asked, SQLException cause) {
        super("The database was asked: " + asked, cause);
    }
}
