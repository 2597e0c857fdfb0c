package headtohead.forum;

/** The beginning and the end that every page has. */
final class PageFrame {
    private PageFrame() {
    }

    /** Appends all that stands before a page's own part: its title is its first heading too. */
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
