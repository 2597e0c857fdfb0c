/*
  * A pass over a file with several requests under way: each response is followed by the next request.
 */
#ifndef SLOTS_H
#define SLOTS_H

#include "remote.h"

enum pass {
    WRITING,
    READING, /* every block, each checked */
    SAMPLING /* only the blocks that are compared byte by byte */
};

/* Go over the file once. `bytes` grows by what the server moved. Returns false after a line on standard error.
 * Otherwise `answer` has what differs, if anything does. */
bool pass_over(struct remote *remote, enum pass pass, int64_t *bytes);

#endif
