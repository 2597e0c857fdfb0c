package headtohead.forum;

/**
 * A message and who wrote it: what one line of an index is made of.
 *
 * @param message the head of the message
 * @param author  its author
 */
public record Post(Message message, Author author) {
}
