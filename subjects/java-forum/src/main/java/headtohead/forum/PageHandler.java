package headtohead.forum;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Function;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Responds to each request with a newly made page, or with 404 if there is none. */
final class PageHandler extends Handler.Abstract {
    private final String type;
    private final Function<Request, Optional<String>> body;

    PageHandler(String type, Function<Request, Optional<String>> body) {
        this.type = type;
        this.body = body;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        Optional<String> page = body.apply(request);
        if (page.isEmpty()) {
            Response.writeError(request, response, callback, HttpStatus.NOT_FOUND_404);
            return true;
        }
        byte[] bytes = page.get().getBytes(StandardCharsets.UTF_8);
        HttpFields.Mutable headers = response.getHeaders();
        headers.put(HttpHeader.CONTENT_TYPE, type);
        headers.put(HttpHeader.CONTENT_LENGTH, bytes.length);
        response.write(true, ByteBuffer.wrap(bytes), callback);
        return true;
    }
}
