/*
 * The server, over NFS version 3: mounted, and its files streamed with a number of requests under way.
 */
#ifndef REMOTE_H
#define REMOTE_H

#include "words.h"

struct nfs_context;
struct nfsfh;

/* One process's connection and its file. */
struct remote {
    struct nfs_context *nfs;
    struct nfsfh *file;
    const struct words *words;
    int number;          /* of the file, from 1 */
    int64_t bytes;       /* moved so far, counted by what the server said of each request */
    char answer[REASON]; /* "right", or what differs */
};

/* Connect and mount the export. Each of these returns false after a line on standard error. */
bool mount_export(struct remote *remote, const struct words *words, int number);

/* Whether the server has room for the files of the case, and some more. */
bool has_room(struct remote *remote);

bool open_file(struct remote *remote, const char *name);

/* Write the file and have the server put it on its disk, or read it from end to end and check what comes. */
bool stream(struct remote *remote);

/* Ask for the size of what was written, and read back every block of which each byte is compared. */
bool read_back(struct remote *remote);

/* Remove the file, by the server, which then lets go of it. */
bool remove_file(struct remote *remote, const char *name);

void leave(struct remote *remote);

#endif
