package headtohead.forum;

import java.util.List;

/**
 * What a board's index is made of.
 *
 * @param board the board
 * @param posts every message that the index shows, in any order
 */
public record Index(Board board, List<Post> posts) {
}
