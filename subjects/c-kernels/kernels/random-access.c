/*
 * random-access - change 32,768 entries of a table of 32 MiB by exclusive or, and then change them back.
 *
 * Source:      Luszczek et al. (2006), "The HPC Challenge (HPCC) benchmark suite", SC'06: RandomAccess, measured there
 *              in GUPS; indexes from the generator of draws.h. Changing them back restores the table.
 * Stresses:    latency of memory and of address translation, and the number of misses that a CPU keeps in flight.
 * Iteration:   65,536 changes, for each 8 integer operations; 1,048,576 bytes (8,388,608 in lines of 64).
 * Working set: 32 MiB, for memory.
 * Answer:      the sum of the upper 10 bits of each entry right after its change, a whole number: 16818108.
 */
#include "draws.h"
#include "kernels.h"

#include <stddef.h>
#include <stdlib.h>

enum { BITS = 22, CHANGES = 32768, PAGE = 4096 };

static uint64_t *table;
static uint64_t seed;

static bool prepare(double input)
{
    const size_t entries = (size_t)1 << BITS;
    table = aligned_alloc(PAGE, entries * sizeof(uint64_t));
    if (table == NULL) {
        return false;
    }
    for (size_t i = 0; i < entries; i++) {
        table[i] = i;
    }
    seed = FIRST_STATE + (uint64_t)(input * 1000000.0);
    return true;
}

/* Change the entries of one iteration; return the sum of their upper bits. */
static uint64_t change(void)
{
    const uint64_t mask = (UINT64_C(1) << BITS) - 1;
    uint64_t state = seed;
    uint64_t sum = 0;
    for (int i = 0; i < CHANGES; i++) {
        state = next_state(state);
        uint64_t *const entry = &table[(size_t)(state & mask)];
        *entry ^= state;
        sum += *entry >> 54;
    }
    return sum;
}

static double iterate(void)
{
    const uint64_t there = change();
    (void)change();
    return (double)there;
}

const struct kernel random_access = {"random-access", prepare, iterate};
