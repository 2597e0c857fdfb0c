/*
 * A pass over a file with several requests under way: as one is answered the next is sent.
 */
#ifndef SLOTS_H
#define SLOTS_H

#include "remote.h"

enum pass {
    WRITING,
    READING, /* every block, each checked */
    SAMPLING /* of the blocks those alone of which every byte is compared */
};

/* Go over the file once. `bytes` grows by what the server said it moved. Returns false after a line on standard
 * error, else `answer` says what differs, if anything does. */
bool pass_over(struct remote *remote, enum pass pass, int64_t *bytes);

#endif
