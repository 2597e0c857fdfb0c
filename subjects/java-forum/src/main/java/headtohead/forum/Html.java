package headtohead.forum;

import java.time.LocalDate;

/** Texts and times as they appear in a page. */
final class Html {
    private static final long SECONDS_A_DAY = 86_400;

    private Html() {
    }

    /** Appends a text with HTML's special characters escaped. */
    static void escape(StringBuilder page, String text) {
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            String name = nameOf(text.charAt(i));
            if (name != null) {
                page.append(text.substring(from, i)).append(name);
                from = i + 1;
            }
        }
        // Whole strings are copied at once, parts of a CharSequence character by character.
        page.append(from == 0 ? text : text.substring(from));
    }

    private static String nameOf(char character) {
        return switch (character) {
            case '&' -> "&amp;";
            case '<' -> "&lt;";
            case '>' -> "&gt;";
            case '"' -> "&quot;";
            default -> null;
        };
    }

    /** Returns the day, in UTC, of a time in seconds since 1970: {@code 2003-11-28}. */
    static String day(long posted) {
        return LocalDate.ofEpochDay(Math.floorDiv(posted, SECONDS_A_DAY)).toString();
    }

    /** Returns the minute, in UTC, of a time in seconds since 1970: {@code 2003-11-28 14:05}. */
    static String minute(long posted) {
        long minutes = Math.floorMod(posted, SECONDS_A_DAY) / 60;
        return "%s %02d:%02d".formatted(day(posted), minutes / 60, minutes % 60);
    }
}
