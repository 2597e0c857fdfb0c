package headtohead.forum;

import java.nio.file.Path;
import org.eclipse.jetty.server.Server;

/** Serves the forum until it is stopped: {@code Main PROPERTIES}. */
public final class Main {
    private Main() {
    }

    /** Starts the server and waits for its end. */
    public static void main(String[] arguments) throws Exception {
        Settings settings = Settings.read(Path.of(arguments[0]));
        try (Database database = Database.open(settings.database(), settings.pool())) {
            Forum forum = settings.cache() ? new CachedForum(database) : new DirectForum(database);
            Server server = WebServer.of(settings, Pages.of(forum));
            server.start();
            server.join();
        }
    }
}
