package headtohead.forum;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Weigher;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;

/**
  * Objects of one kind by their number, up to a limit. Rows never change during a run, so nothing expires.
 *
 * @param <T> the kind
 */
public final class ObjectCache<T> {
    private final Cache<Integer, T> kept;
    private final IntFunction<Optional<T>> load;

    private ObjectCache(Cache<Integer, T> kept, IntFunction<Optional<T>> load) {
        this.kept = kept;
        this.load = load;
    }

    /** Returns a cache of at most {@code most} objects. */
    public static <T> ObjectCache<T> ofNumber(long most, IntFunction<Optional<T>> load) {
        return new ObjectCache<>(Caffeine.newBuilder().maximumSize(most).recordStats().build(), load);
    }

    /** Returns a cache of objects that together weigh at most {@code most}. */
    public static <T> ObjectCache<T> ofWeight(long most, ToIntFunction<T> weight,
                                              IntFunction<Optional<T>> load) {
        Weigher<Integer, T> weigher = (id, object) -> weight.applyAsInt(object);
        return new ObjectCache<>(
            Caffeine.newBuilder().maximumWeight(most).weigher(weigher).recordStats().build(), load);
    }

    /** Returns an object, loaded by one thread if it is not cached; empty if there is none. */
    public Optional<T> get(int id) {
        return Optional.ofNullable(kept.get(id, missing -> load.apply(missing).orElse(null)));
    }

    /** Returns the number of hits. */
    public long hits() {
        return kept.stats().hitCount();
    }

    /** Returns the number of misses. */
    public long misses() {
        return kept.stats().missCount();
    }
}
