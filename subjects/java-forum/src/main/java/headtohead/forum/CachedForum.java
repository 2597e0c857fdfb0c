package headtohead.forum;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Takes every object from a cache, and queries the database once for each that is missing. */
public final class CachedForum implements Forum {
    private static final long MOST_HEADS = 50_000;
    private static final long ARTICLES_SHARE_OF_HEAP = 4;

    private final ObjectCache<Listing> listings;
    private final ObjectCache<Message> messages;
    private final ObjectCache<Author> authors;
    private final ObjectCache<Article> articles;

    /** Starts with empty caches. */
    public CachedForum(Database database) {
        long articleBytes = Runtime.getRuntime().maxMemory() / ARTICLES_SHARE_OF_HEAP;
        listings = ObjectCache.ofNumber(MOST_HEADS, database::listing);
        messages = ObjectCache.ofNumber(MOST_HEADS, database::message);
        authors = ObjectCache.ofNumber(MOST_HEADS, database::author);
        articles = ObjectCache.ofWeight(articleBytes, article -> article.body().length(), database::article);
    }

    @Override
    public Index index() {
        Listing listing = listings.get(MAIN_BOARD).orElseThrow();
        List<Post> posts = new ArrayList<>(listing.messages().size());
        for (int id : listing.messages()) {
            Message message = messages.get(id).orElseThrow();
            posts.add(new Post(message, authors.get(message.author()).orElseThrow()));
        }
        return new Index(listing.board(), posts);
    }

    @Override
    public Optional<SignedArticle> article(int id) {
        return articles.get(id)
            .map(article -> new SignedArticle(article, authors.get(article.author()).orElseThrow()));
    }

    /** Returns the number of cache hits since the start. */
    public long hits() {
        return listings.hits() + messages.hits() + authors.hits() + articles.hits();
    }

    /** Returns the number of cache misses since the start. */
    public long misses() {
        return listings.misses() + messages.misses() + authors.misses() + articles.misses();
    }
}
