/*
 * heapsort - sort 8192 numbers in place.
 *
 * Source:      Williams (1964), "Algorithm 232: heapsort", CACM 7(6); the heap built as by Floyd (1964), "Algorithm
 *              245: treesort 3", CACM 7(12).
 * Stresses:    unpredictable branches, comparisons of floating-point numbers, loads that wait for them.
 * Iteration:   about 2 N log2 N = 212,992 comparisons; 131,072 bytes copied.
 * Working set: 2 arrays of 64 KiB, for the second-level cache.
 * Answer:      the sum of (1 + k mod 8) times the k-th number in order: 18494.6536103.
 */
#include "draws.h"
#include "kernels.h"

#include <stddef.h>
#include <string.h>

enum { LENGTH = 8192 };

static double given[LENGTH], heap[LENGTH];

static bool prepare(double input)
{
    uint64_t state = FIRST_STATE;
    for (int i = 0; i < LENGTH; i++) {
        given[i] = input * draw(&state);
    }
    return true;
}

/* Let the number at `place` sink until no child is larger, in the first `count`. */
static void sink(size_t place, size_t count)
{
    const double value = heap[place];
    for (size_t child = 2 * place + 1; child < count; child = 2 * place + 1) {
        if (child + 1 < count && heap[child + 1] > heap[child]) {
            child++;
        }
        if (heap[child] <= value) {
            break;
        }
        heap[place] = heap[child];
        place = child;
    }
    heap[place] = value;
}

static double iterate(void)
{
    memcpy(heap, given, sizeof heap);
    for (size_t place = LENGTH / 2; place > 0; place--) {
        sink(place - 1, LENGTH);
    }
    for (size_t last = LENGTH - 1; last > 0; last--) {
        const double largest = heap[0];
        heap[0] = heap[last];
        heap[last] = largest;
        sink(0, last);
    }
    double sum = 0.0;
    for (size_t k = 0; k < LENGTH; k++) {
        sum += (double)(1 + k % 8) * heap[k];
    }
    return sum;
}

const struct kernel heapsort = {"heapsort", prepare, iterate};
