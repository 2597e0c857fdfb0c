package headtohead.forum;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ArticlePageTest {
    @Test
    void aBlockThatBeginsWithAnEqualsSignAndASpaceIsAHeading() {
        Article article = new Article(3, 7, 60, "T", "= First\nText.\n=no heading\n");
        assertEquals("""
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <title>T</title>
            </head>
            <body>
            <h1>T</h1>
            <p class="by">by <span class="author">A</span> on <span class="posted">1970-01-01 00:01</span></p>
            <h2>First</h2>
            <p>Text.</p>
            <p>=no heading</p>
            <p></p>
            </body>
            </html>
            """, ArticlePage.of(new SignedArticle(article, new Author(7, "A"))));
    }
}
