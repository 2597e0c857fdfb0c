package headtohead.forum;

/** Renders an article. */
public final class ArticlePage {
    private static final int LENGTH_ABOUT = 1 << 15;
    private static final String HEADING = "= ";

    private ArticlePage() {
    }

    /** Returns the page, made from its objects. */
    public static String of(SignedArticle signed) {
        Article article = signed.article();
        StringBuilder page = new StringBuilder(LENGTH_ABOUT);
        PageFrame.open(page, article.title());
        page.append("<p class=\"by\">by <span class=\"author\">");
        Html.escape(page, signed.author().name());
        page.append("</span> on <span class=\"posted\">").append(Html.minute(article.posted())).append("</span></p>\n");
        for (String block : article.body().split("\n", -1)) {
            appendBlock(page, block);
        }
        PageFrame.close(page);
        return page.toString();
    }

    private static void appendBlock(StringBuilder page, String block) {
        boolean heading = block.startsWith(HEADING);
        page.append(heading ? "<h2>" : "<p>");
        Html.escape(page, heading ? block.substring(HEADING.length()) : block);
        page.append(heading ? "</h2>\n" : "</p>\n");
    }
}
