package headtohead.forum;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class BoardPageTest {
    private static Post post(int id, int thread, int parent) {
        return new Post(new Message(id, thread, parent, 7, 86_400L * id, "M" + id), new Author(7, "A & B"));
    }

    private static String line(int id) {
        return "<li><a href=\"/message?id=%d\">M%d</a> by <span class=\"author\">A &amp; B</span> on <span class=\"posted\">%s</span>"
            .formatted(id, id, Html.day(86_400L * id));
    }

    @Test
    void theNewestThreadComesFirstAndRepliesStandBelowTheirParentInOrder() {
        List<Post> posts = List.of(post(5, 2, 0), post(4, 1, 1), post(1, 1, 0), post(3, 1, 2), post(2, 1, 1));
        String page = BoardPage.of(new Index(new Board("Main <1>", "About", 1), posts));
        assertEquals("""
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <title>Main &lt;1&gt;</title>
            </head>
            <body>
            <h1>Main &lt;1&gt;</h1>
            <p>About</p>
            <p>5 messages in 2 threads</p>
            <ul class="threads">
            """ + line(5) + "</li>\n" + line(1) + "\n<ul>\n" + line(2) + "\n<ul>\n" + line(3) + "</li>\n</ul>\n</li>\n"
            + line(4) + "</li>\n</ul>\n</li>\n" + """
            </ul>
            </body>
            </html>
            """, page);
    }
}
