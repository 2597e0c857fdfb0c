package headtohead.forum;

/**
  * A message and its author: the data of one line of an index.
 *
 * @param message the head of the message
 * @param author  its author
 */
public record Post(Message message, Author author) {
}
