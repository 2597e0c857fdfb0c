package headtohead.forum;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/**
  * The settings of the forum.
 *
 * @param listen   the address on which it listens
 * @param port     the port on which it listens
 * @param cpus     the number of its CPUs
 * @param pool     the number of its connections to the database
 * @param cache    whether objects are kept
 * @param compress whether it compresses if the client requests it
 * @param database where the tables are
 */
public record Settings(String listen, int port, int cpus, int pool, boolean cache, boolean compress, Address database) {
    /** Reads a properties file. */
    public static Settings read(Path file) throws IOException {
        Properties written = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            written.load(reader);
        }
        return new Settings(text(written, "address"), number(written, "port"), number(written, "cpus"),
            number(written, "pool"), on(written, "cache"), on(written, "compress"), address(written));
    }

    private static Address address(Properties written) {
        String kind = text(written, "database");
        if (kind.equals("h2")) {
            return Address.h2(Path.of(text(written, "data")));
        }
        String host = text(written, "database.host");
        int port = number(written, "database.port");
        String name = text(written, "database.name");
        String user = text(written, "database.user");
        String password = text(written, "database.password");
        return switch (kind) {
            case "mariadb" -> Address.mariadb(host, port, name, user, password);
            case "postgresql" -> Address.postgresql(host, port, name, user, password);
            default -> throw new IllegalArgumentException("database is " + kind + ": give h2, mariadb or postgresql");
        };
    }

    private static boolean on(Properties written, String name) {
        String value = text(written, name);
        return switch (value) {
            case "on" -> true;
            case "off" -> false;
            default -> throw new IllegalArgumentException(name + " is " + value + ": give on or off");
        };
    }

    private static int number(Properties written, String name) {
        return Integer.parseInt(text(written, name));
    }

    private static String text(Properties written, String name) {
        String value = written.getProperty(name, "");
        if (value.isEmpty()) {
            throw new IllegalArgumentException(name + " is not set");
        }
        return value;
    }
}
