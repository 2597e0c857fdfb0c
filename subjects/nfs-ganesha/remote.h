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
    int64_t bytes;       /* moved so far, from the server's response to each request */
    char answer[REASON]; /* "right", or what differs */
};

/* Connect and mount the export. Each of these returns false after a line on standard error. */
bool mount_export(struct remote *remote, const struct words *words, int number);

/* Whether the server has room for the files of the case, and some more. */
bool has_room(struct remote *remote);

bool open_file(struct remote *remote, const char *name);

/* Write the file and commit it to the server's disk, or read it from end to end and check what comes. */
bool stream(struct remote *remote);

/* Request the size of the written file, and read back every block that is compared byte by byte. */
bool read_back(struct remote *remote);

/* Let the server remove the file and drop it. */
bool remove_file(struct remote *remote, const char *name);

void leave(struct remote *remote);

#endif
