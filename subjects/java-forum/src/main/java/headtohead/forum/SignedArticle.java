package headtohead.forum;

/**
  * An article and its author.
 *
 * @param article the article
 * @param author  its author
 */
public record SignedArticle(Article article, Author author) {
}
