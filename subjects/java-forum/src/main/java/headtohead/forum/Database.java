package headtohead.forum;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The forum's tables, read through a pool of connections that stay open. */
public final class Database implements AutoCloseable {
    private static final long WAIT_FOR_CONNECTION_MS = 5_000;
    private static final String SHOWN = " FROM thread t JOIN message m ON m.thread = t.id";
    private static final String SHOWN_WHERE = " WHERE t.board = ? AND t.id >= ?";
    private static final String HEAD = "m.id, m.thread, m.parent, m.author, m.posted, m.subject";
    private static final String ARTICLE = "r.id, r.author, r.posted, r.title, r.body";

    private final HikariDataSource pool;

    private Database(HikariDataSource pool) {
        this.pool = pool;
    }

    /** Opens {@code connections} connections; fails if the database cannot be reached. */
    public static Database open(Address address, int connections) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(address.url());
        config.setUsername(address.user());
        config.setPassword(address.password());
        config.setMaximumPoolSize(connections);
        config.setMaxLifetime(0);
        config.setConnectionTimeout(WAIT_FOR_CONNECTION_MS);
        config.setReadOnly(true);
        return new Database(new HikariDataSource(config));
    }

    /** Returns a board. */
    public Optional<Board> board(int id) {
        return one(ask("SELECT title, about, index_from FROM board WHERE id = ?",
            row -> new Board(row.getString(1), row.getString(2), row.getInt(3)), id));
    }

    /** Returns a board with the numbers of the messages in its index. */
    public Optional<Listing> listing(int id) {
        return board(id).map(board -> new Listing(board,
            ask("SELECT m.id" + SHOWN + SHOWN_WHERE, row -> row.getInt(1), id, board.indexFrom())));
    }

    /** Returns every message of a board's threads from an id on, each with its author. */
    public List<Post> posts(int board, int indexFrom) {
        return ask("SELECT " + HEAD + ", a.name" + SHOWN + " JOIN author a ON a.id = m.author" + SHOWN_WHERE,
            row -> new Post(head(row), new Author(row.getInt(4), row.getString(7))), board, indexFrom);
    }

    /** Returns the head of a message. */
    public Optional<Message> message(int id) {
        return one(ask("SELECT " + HEAD + " FROM message m WHERE m.id = ?", Database::head, id));
    }

    /** Returns an author. */
    public Optional<Author> author(int id) {
        return one(ask("SELECT id, name FROM author WHERE id = ?",
            row -> new Author(row.getInt(1), row.getString(2)), id));
    }

    /** Returns an article. */
    public Optional<Article> article(int id) {
        return one(ask("SELECT " + ARTICLE + " FROM article r WHERE r.id = ?", Database::article, id));
    }

    /** Returns an article with its author. */
    public Optional<SignedArticle> signedArticle(int id) {
        return one(ask("SELECT " + ARTICLE + ", a.name FROM article r JOIN author a ON a.id = r.author WHERE r.id = ?",
            row -> new SignedArticle(article(row), new Author(row.getInt(2), row.getString(6))), id));
    }

    @Override
    public void close() {
        pool.close();
    }

    private static Message head(ResultSet row) throws SQLException {
        return new Message(row.getInt(1), row.getInt(2), row.getInt(3), row.getInt(4), row.getLong(5),
            row.getString(6));
    }

    private static Article article(ResultSet row) throws SQLException {
        return new Article(row.getInt(1), row.getInt(2), row.getLong(3), row.getString(4), row.getString(5));
    }

    private static <T> Optional<T> one(List<T> rows) {
        return rows.stream().findFirst();
    }

    private <T> List<T> ask(String sql, Row<T> row, int... parameters) {
        try (Connection connection = pool.getConnection();
             PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setInt(i + 1, parameters[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                List<T> found = new ArrayList<>();
                while (rows.next()) {
                    found.add(row.read(rows));
                }
                return found;
            }
        } catch (SQLException error) {
            throw new DatabaseException(sql, error);
        }
    }

    /** Makes an object from the current row. */
    private interface Row<T> {
        T read(ResultSet rows) throws SQLException;
    }
}
