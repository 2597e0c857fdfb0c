package headtohead.forum;

/**
 * Somebody who writes.
 *
 * @param id   his or her number
 * @param name his or her name
 */
public record Author(int id, String name) {
}
