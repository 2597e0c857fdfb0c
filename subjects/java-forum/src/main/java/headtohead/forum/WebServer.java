package headtohead.forum;

import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.gzip.GzipHandler;
import org.eclipse.jetty.util.compression.DeflaterPool;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** A Jetty server on loopback, sized by its CPUs. */
final class WebServer {
    private static final int ACCEPTORS = 1;
    private static final int WORKERS_A_CPU = 4;
    private static final int WAITING_CONNECTIONS = 4096;
    private static final int IDLE_CONNECTION_MS = 90_000;
    private static final int AS_ZLIB_DOES = 6;

    private WebServer() {
    }

    /** Returns a server, not yet started. */
    static Server of(Settings settings, Handler pages) {
        int selectors = Math.max(1, settings.cpus() / 2);
        // Each connection to the database may keep a worker waiting; the other workers keep the CPUs busy.
        int workers = settings.pool() + WORKERS_A_CPU * settings.cpus();
        Server server = new Server(new QueuedThreadPool(ACCEPTORS + selectors + workers));
        server.addConnector(connector(server, settings, selectors));
        server.setHandler(settings.compress() ? compressed(server, workers, pages) : pages);
        server.setStopAtShutdown(true);
        return server;
    }

    private static ServerConnector connector(Server server, Settings settings, int selectors) {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        ServerConnector connector =
            new ServerConnector(server, ACCEPTORS, selectors, new HttpConnectionFactory(http));
        connector.setHost(settings.listen());
        connector.setPort(settings.port());
        connector.setAcceptQueueSize(WAITING_CONNECTIONS);
        connector.setIdleTimeout(IDLE_CONNECTION_MS);
        return connector;
    }

    private static Handler compressed(Server server, int workers, Handler pages) {
        server.addBean(new DeflaterPool(workers, AS_ZLIB_DOES, true));
        return new GzipHandler(pages);
    }
}
