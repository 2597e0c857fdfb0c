package headtohead.forum;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A table's file of the data set: one row per line, its fields separated by tabs. */
final class DataFile implements AutoCloseable {
    private final BufferedReader lines;

    private DataFile(BufferedReader lines) {
        this.lines = lines;
    }

    /** Opens the file of a table. */
    static DataFile of(Table table, Path dataSet) throws IOException {
        return new DataFile(Files.newBufferedReader(dataSet.resolve(table.name() + ".tsv"), StandardCharsets.UTF_8));
    }

    /** Returns the fields of the next row, null after the last. */
    String[] next() throws IOException {
        String line = lines.readLine();
        if (line == null) {
            return null;
        }
        String[] fields = line.split("\t", -1);
        for (int i = 0; i < fields.length; i++) {
            fields[i] = plain(fields[i]);
        }
        return fields;
    }

    /** Returns a field with {@code \\} replaced by a backslash and {@code \n} by a newline, from left to right. */
    static String plain(String written) {
        int escape = written.indexOf('\\');
        if (escape < 0) {
            return written;
        }
        StringBuilder text = new StringBuilder(written.length());
        int from = 0;
        while (escape >= 0) {
            text.append(written, from, escape).append(written.charAt(escape + 1) == 'n' ? '\n' : '\\');
            from = escape + 2;
            escape = written.indexOf('\\', from);
        }
        return text.append(written, from, written.length()).toString();
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
