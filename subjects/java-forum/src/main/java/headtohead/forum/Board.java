package headtohead.forum;

/**
 * A board.
 *
 * @param title     what it is called
 * @param about     what it is about
 * @param indexFrom its index shows the threads from this id on
 */
public record Board(String title, String about, int indexFrom) {
}
