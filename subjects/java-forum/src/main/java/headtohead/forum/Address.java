package headtohead.forum;

import java.nio.file.Path;

/**
  * The address of a database, and its user.
 *
 * @param url      a JDBC address
 * @param user     the user's name
 * @param password the user's password; empty for a file of our own
 */
public record Address(String url, String user, String password) {
    private static final int H2_PAGE_CACHE_KB = 65_536;

    /** Returns a MariaDB server. Statements are prepared on the server, as PostgreSQL's driver does by itself. */
    public static Address mariadb(String host, int port, String database, String user, String password) {
        return new Address("jdbc:mariadb://%s:%d/%s?useServerPrepStmts=true&sslMode=disable"
            .formatted(host, port, database), user, password);
    }

    /** Returns a PostgreSQL server. */
    public static Address postgresql(String host, int port, String database, String user, String password) {
        return new Address("jdbc:postgresql://%s:%d/%s?sslmode=disable".formatted(host, port, database), user,
            password);
    }

    /** Returns the H2 file that the loader made in a directory, opened for reading only. */
    public static Address h2(Path directory) {
        return h2File(directory, ";ACCESS_MODE_DATA=r;IFEXISTS=TRUE;DB_CLOSE_ON_EXIT=FALSE");
    }

    /** Returns the H2 file in a directory, for creating and writing. */
    public static Address newH2(Path directory) {
        return h2File(directory, "");
    }

    private static Address h2File(Path directory, String options) {
        return new Address("jdbc:h2:file:%s;CACHE_SIZE=%d%s"
            .formatted(directory.toAbsolutePath().resolve("forum"), H2_PAGE_CACHE_KB, options), "h2h", "");
    }
}
