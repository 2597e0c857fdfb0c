/*
 * edit-distance - how many letters have to be put in, taken out or changed to make one text of 512 from another.
 *
 * Source:      Wagner and Fischer (1974), "The string-to-string correction problem", J. ACM 21(1).
 * Stresses:    a chain of integer additions and minima, each of which waits for the one before; a first-level cache.
 * Iteration:   262,144 pairs of letters x 7 = 1,835,008 integer operations, comparisons among them.
 * Working set: 3 KiB, for the first-level cache.
 * Answer:      the distance, a whole number: 274.
 */
#include "draws.h"
#include "kernels.h"

enum { LENGTH = 512, LETTERS = 4 };

static int from[LENGTH], to[LENGTH], row[LENGTH + 1];

static bool prepare(double input)
{
    uint64_t state = FIRST_STATE;
    for (int i = 0; i < LENGTH; i++) {
        from[i] = (int)(LETTERS * input * draw(&state));
        to[i] = (int)(LETTERS * input * draw(&state));
    }
    return true;
}

static int smaller(int one, int other)
{
    return one < other ? one : other;
}

/* Go from the distances of the first `i` letters to those of one letter more. */
static void next_row(int i)
{
    int diagonal = row[0];
    row[0] = i + 1;
    for (int j = 0; j < LENGTH; j++) {
        const int changed = diagonal + (from[i] != to[j]);
        diagonal = row[j + 1];
        row[j + 1] = smaller(changed, smaller(row[j], diagonal) + 1);
    }
}

static double iterate(void)
{
    for (int j = 0; j <= LENGTH; j++) {
        row[j] = j;
    }
    for (int i = 0; i < LENGTH; i++) {
        next_row(i);
    }
    return (double)row[LENGTH];
}

const struct kernel edit_distance = {"edit-distance", prepare, iterate};
