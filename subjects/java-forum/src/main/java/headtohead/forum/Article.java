package headtohead.forum;

/**
 * An article.
 *
 * @param id     its number
 * @param author the number of its author
 * @param posted its time, in seconds since 1970-01-01 00:00 UTC
 * @param title  its title
 * @param body   blocks, separated by line feeds; one that begins with "= " is a heading
 */
public record Article(int id, int author, long posted, String title, String body) {
}
