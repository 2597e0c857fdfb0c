package headtohead.forum;

/**
  * An author.
 *
 * @param id   the number
 * @param name the name
 */
public record Author(int id, String name) {
}
