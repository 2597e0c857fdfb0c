/*
  * Random-looking data for kernels: Marsaglia (2003), "Xorshift RNGs", J. Stat. Softw. 8(14), 64 bits,
 * shifts 13, 7, 17. The same numbers on every machine.
 */
#ifndef DRAWS_H
#define DRAWS_H

#include <stdint.h>

/* The state before the first draw. */
static const uint64_t FIRST_STATE = UINT64_C(88172645463325252);

static inline uint64_t next_state(uint64_t state)
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^ (state << 17);
}

/* The next number from 0 to below 1: the upper 53 bits of the next state. */
static inline double draw(uint64_t *state)
{
    *state = next_state(*state);
    return (double)(*state >> 11) * 0x1p-53;
}

#endif
