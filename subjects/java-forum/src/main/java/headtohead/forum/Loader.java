package headtohead.forum;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.List;

/**
  * Makes the H2 file of the forum from the data set, and checks it:
 * {@code Loader KIND DATASET DIRECTORY}. For a KIND other than {@code h2} there is nothing to make: the server has
 * the tables.
 */
public final class Loader {
    private static final int ROWS_A_BATCH = 1000;

    private final Connection connection;
    private final Path dataSet;

    private Loader(Connection connection, Path dataSet) {
        this.connection = connection;
        this.dataSet = dataSet;
    }

    /** Makes the file. */
    public static void main(String[] arguments) throws IOException, SQLException {
        if (!arguments[0].equals("h2")) {
            return;
        }
        Path dataSet = Path.of(arguments[1]);
        Address address = Address.newH2(Path.of(arguments[2]));
        try (Connection connection = DriverManager.getConnection(address.url(), address.user(), address.password())) {
            Loader loader = new Loader(connection, dataSet);
            for (Table table : Table.ALL) {
                loader.load(table);
            }
            loader.check();
        }
    }

    private void load(Table table) throws IOException, SQLException {
        List<String> columns = table.columns().stream()
            .map(column -> column.name() + (column.text() ? " VARCHAR NOT NULL" : " INTEGER NOT NULL")).toList();
        execute("CREATE TABLE " + table.name() + " (" + String.join(", ", columns) + ", PRIMARY KEY (id))");
        String marks = String.join(", ", Collections.nCopies(columns.size(), "?"));
        String sql = "INSERT INTO " + table.name() + " VALUES (" + marks + ")";
        connection.setAutoCommit(false);
        try (DataFile file = DataFile.of(table, dataSet);
             PreparedStatement insert = connection.prepareStatement(sql)) {
            int waiting = 0;
            for (String[] row = file.next(); row != null; row = file.next()) {
                add(insert, table, row);
                waiting++;
                if (waiting == ROWS_A_BATCH) {
                    insert.executeBatch();
                    connection.commit();
                    waiting = 0;
                }
            }
            insert.executeBatch();
            connection.commit();
        }
        connection.setAutoCommit(true);
        for (String index : table.indexes()) {
            execute(index);
        }
    }

    private static void add(PreparedStatement insert, Table table, String[] row) throws SQLException {
        for (int i = 0; i < row.length; i++) {
            if (table.columns().get(i).text()) {
                insert.setString(i + 1, row[i]);
            } else {
                insert.setInt(i + 1, Integer.parseInt(row[i]));
            }
        }
        insert.addBatch();
    }

    private void check() throws IOException, SQLException {
        StringBuilder counted = new StringBuilder();
        for (Table table : Table.ALL) {
            counted.append(Counts.of(table, connection));
        }
        String right = Files.readString(dataSet.resolve("counts.tsv"));
        if (!right.contentEquals(counted)) {
            throw new IllegalStateException("The tables hold\n" + counted + "and counts.tsv says\n" + right);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
