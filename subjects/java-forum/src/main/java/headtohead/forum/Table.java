package headtohead.forum;

import java.util.List;

/**
 * A table of the forum: its columns in the order of the data set's file.
 *
 * @param name    its name
 * @param columns its columns, {@code id} the first
 * @param indexes statements that add the indexes, except the primary key
 */
public record Table(String name, List<Column> columns, List<String> indexes) {
    /** All tables, in the order in which their rows are checked. */
    public static final List<Table> ALL = List.of(
        new Table("article", List.of(number("id"), number("author"), number("posted"), text("title"), text("body")),
            List.of()),
        new Table("author", List.of(number("id"), number("joined"), text("name"), text("signature")), List.of()),
        new Table("board", List.of(number("id"), number("index_from"), text("title"), text("about")), List.of()),
        new Table("message", List.of(number("id"), number("thread"), number("parent"), number("author"),
            number("posted"), text("subject"), text("body")),
            List.of("CREATE INDEX message_thread ON message (thread, id)",
                "CREATE INDEX message_author ON message (author, posted)")),
        new Table("thread", List.of(number("id"), number("board"), number("author"), number("posted"),
            number("messages"), number("latest"), text("subject")),
            List.of("CREATE INDEX thread_board ON thread (board, id)")));

    /**
     * A column.
     *
     * @param name    its name
     * @param text whether it holds texts; otherwise integers
     */
    public record Column(String name, boolean text) {
    }

    private static Column number(String name) {
        return new Column(name, false);
    }

    private static Column text(String name) {
        return new Column(name, true);
    }
}
