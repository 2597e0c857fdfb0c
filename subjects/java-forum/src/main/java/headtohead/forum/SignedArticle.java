package headtohead.forum;

/**
 * An article and who wrote it.
 *
 * @param article the article
 * @param author  its author
 */
public record SignedArticle(Article article, Author author) {
}
