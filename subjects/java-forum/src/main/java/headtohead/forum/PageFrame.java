package headtohead.forum;

/** The beginning and the end of every page. */
final class PageFrame {
    private PageFrame() {
    }

    /** Appends the part before a page's own content: the title is also the first heading. */
    static void open(StringBuilder page, String title) {
        page.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>");
        Html.escape(page, title);
        page.append("</title>\n</head>\n<body>\n<h1>");
        Html.escape(page, title);
        page.append("</h1>\n");
    }

    /** Appends the end. */
    static void close(StringBuilder page) {
        page.append("</body>\n</html>\n");
    }
}
