package headtohead.forum;

import java.util.List;

/**
  * The data of a board's index.
 *
 * @param board the board
 * @param posts every message in the index, in any order
 */
public record Index(Board board, List<Post> posts) {
}
