package headtohead.forum;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.pathmap.PathSpec;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.PathMappingsHandler;

/** The pages by their paths. For every other path the server responds with 404. */
final class Pages {
    private static final String HTML = "text/html; charset=utf-8";
    private static final Pattern QUERY = Pattern.compile("id=(\\d{1,9})");

    private Pages() {
    }

    /** Returns the pages of a forum. */
    static Handler of(Forum forum) {
        PathMappingsHandler pages = new PathMappingsHandler();
        map(pages, "/board", HTML, request -> Optional.of(BoardPage.of(forum.index())));
        map(pages, "/article", HTML, request -> id(request).flatMap(forum::article).map(ArticlePage::of));
        map(pages, "/health", "text/plain", request -> Optional.of("ok"));
        if (forum instanceof CachedForum cached) {
            map(pages, "/cache", "application/json", request -> Optional.of(
                "{\"hits\":%d,\"misses\":%d}".formatted(cached.hits(), cached.misses())));
        }
        return pages;
    }

    private static void map(PathMappingsHandler pages, String path, String type,
                            Function<Request, Optional<String>> body) {
        pages.addMapping(PathSpec.from(path), new PageHandler(type, body));
    }

    private static Optional<Integer> id(Request request) {
        Matcher query = QUERY.matcher(Objects.requireNonNullElse(request.getHttpURI().getQuery(), ""));
        return query.matches() ? Optional.of(Integer.valueOf(query.group(1))) : Optional.empty();
    }
}
