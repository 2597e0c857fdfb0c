package headtohead.forum;

import java.util.List;

/**
  * A board with the numbers of the messages in its index.
 *
 * @param board    the board
 * @param messages the ids of the messages, in any order
 */
public record Listing(Board board, List<Integer> messages) {
}
