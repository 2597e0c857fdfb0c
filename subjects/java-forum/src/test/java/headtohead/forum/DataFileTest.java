package headtohead.forum;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class DataFileTest {
    @Test
    void escapesAreReadFromLeftToRight() {
        assertEquals("plain", DataFile.plain("plain"));
        assertEquals("a\nb\\n\\\n", DataFile.plain("a\\nb\\\\n\\\\\\n"));
    }
}
