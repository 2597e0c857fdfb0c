package headtohead.forum;

/**
  * The head of a message: everything except its text.
 *
 * @param id      its number, in the order of creation
 * @param thread  the thread that it belongs to
 * @param parent  the message that it replies to, 0 for the first of a thread
 * @param author  the number of its author
 * @param posted  its time, in seconds since 1970-01-01 00:00 UTC
 * @param subject its subject
 */
public record Message(int id, int thread, int parent, int author, long posted, String subject) {
}
