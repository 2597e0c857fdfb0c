package headtohead.forum;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class HtmlTest {
    @Test
    void charactersWithAMeaningAreNamedAndAnApostropheStays() {
        StringBuilder page = new StringBuilder();
        Html.escape(page, "it's a < b && \"c\" > d");
        assertEquals("it's a &lt; b &amp;&amp; &quot;c&quot; &gt; d", page.toString());
    }

    @Test
    void timesAreWrittenInUtc() {
        assertEquals("2003-11-28", Html.day(1_070_027_999));
        assertEquals("2003-11-28 13:59", Html.minute(1_070_027_999));
        assertEquals("1970-01-01 00:00", Html.minute(0));
    }
}
