package headtohead.forum;

import java.sql.SQLException;

/** The database could not be asked; the answer to the request becomes status 500. */
public final class DatabaseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Tells what was asked, and why that failed. */
    public DatabaseException(String asked, SQLException cause) {
        super("The database was asked: " + asked, cause);
    }
}
