package headtohead.forum;

/**
 * A board.
 *
 * @param title     its title
 * @param about     its description
 * @param indexFrom the id of the first thread in its index
 */
public record Board(String title, String about, int indexFrom) {
}
