package headtohead.forum;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Counts and sums over a table, as in the data set's {@code counts.tsv}. */
final class Counts {
    private static final int SHIFT_TO_FIRST_HALF = 32;

    private final MessageDigest digest;
    private long rows;
    private long ids;
    private long numbers;
    private long bytes;
    private long sums;

    private Counts() {
        try {
            digest = MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException error) {
            throw new IllegalStateException("every Java has MD5", error);
        }
    }

    /** Returns the line of a table. */
    static String of(Table table, Connection connection) throws SQLException {
        Counts counts = new Counts();
        List<String> columns = table.columns().stream().map(Table.Column::name).toList();
        try (Statement statement = connection.createStatement()) {
            // Rows come as they are read; otherwise H2 keeps the whole table in memory.
            statement.setFetchSize(1);
            String sql = "SELECT " + String.join(", ", columns) + " FROM " + table.name();
            try (ResultSet found = statement.executeQuery(sql)) {
                while (found.next()) {
                    counts.add(table, found);
                }
            }
        }
        return counts.line(table);
    }

    private void add(Table table, ResultSet row) throws SQLException {
        rows++;
        ids += row.getLong(1);
        for (int i = 1; i < table.columns().size(); i++) {
            if (table.columns().get(i).text()) {
                byte[] text = row.getString(i + 1).getBytes(StandardCharsets.UTF_8);
                bytes += text.length;
                digest.update(text);
            } else {
                numbers += row.getLong(i + 1);
            }
        }
        sums += ByteBuffer.wrap(digest.digest()).getLong() >>> SHIFT_TO_FIRST_HALF;
    }

    private String line(Table table) {
        return "%s\t%d\t%d\t%d\t%d\t%d\n".formatted(table.name(), rows, ids, numbers, bytes, sums);
    }
}
