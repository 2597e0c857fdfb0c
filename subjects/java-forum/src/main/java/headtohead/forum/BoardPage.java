package headtohead.forum;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Renders the index of a board: its threads, the newest first, each as a tree of messages. */
public final class BoardPage {
    private static final int LENGTH_ABOUT = 1 << 18;
    private static final int NO_PARENT = 0;
    private static final Comparator<Post> BY_ID = Comparator.comparingInt(post -> post.message().id());
    private static final Comparator<Post> NEWEST_THREAD =
        Comparator.comparingInt((Post post) -> post.message().thread()).reversed();

    private final StringBuilder page = new StringBuilder(LENGTH_ABOUT);
    private final Map<Integer, List<Post>> replies = new HashMap<>();

    private BoardPage(List<Post> posts) {
        for (Post post : posts) {
            replies.computeIfAbsent(post.message().parent(), parent -> new ArrayList<>()).add(post);
        }
        replies.values().forEach(each -> each.sort(BY_ID));
    }

    /** Returns the page, made from its objects. */
    public static String of(Index index) {
        return new BoardPage(index.posts()).render(index);
    }

    private String render(Index index) {
        List<Post> heads = new ArrayList<>(repliesTo(NO_PARENT));
        heads.sort(NEWEST_THREAD);
        PageFrame.open(page, index.board().title());
        page.append("<p>");
        Html.escape(page, index.board().about());
        page.append("</p>\n<p>").append(index.posts().size()).append(" messages in ").append(heads.size())
            .append(" threads</p>\n<ul class=\"threads\">\n");
        heads.forEach(this::append);
        page.append("</ul>\n");
        PageFrame.close(page);
        return page.toString();
    }

    private List<Post> repliesTo(int id) {
        return replies.getOrDefault(id, List.of());
    }

    private void append(Post post) {
        Message message = post.message();
        page.append("<li><a href=\"/message?id=").append(message.id()).append("\">");
        Html.escape(page, message.subject());
        page.append("</a> by <span class=\"author\">");
        Html.escape(page, post.author().name());
        page.append("</span> on <span class=\"posted\">").append(Html.day(message.posted())).append("</span>");
        List<Post> below = repliesTo(message.id());
        if (!below.isEmpty()) {
            page.append("\n<ul>\n");
            below.forEach(this::append);
            page.append("</ul>\n");
        }
        page.append("</li>\n");
    }
}
