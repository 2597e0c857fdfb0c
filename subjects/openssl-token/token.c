#define _DEFAULT_SOURCE          /* for setenv and flock */
#define OPENSSL_API_COMPAT 10101 /* engines are deprecated in 3.0, and Debian has no PKCS#11 provider */

#include "token.h"

#include <openssl/engine.h>
#include <openssl/err.h>
#include <openssl/x509.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The token exists only during the run and protects nothing: its PIN is no secret. */
#define PIN "123456"

enum { PATH = 512, LOG = 4096 };

static void path_of(char path[PATH], const struct source *source, const char *name)
{
    (void)snprintf(path, PATH, "%s/%s", source->directory, name);
}

/* Run a tool to its end, with its output in a file; true if it ends with 0. */
static bool run_tool(char *const *argv, const char *log)
{
    int status = 0;
    const pid_t pid = fork();
    if (pid == 0) {
        const int out = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (out < 0 || dup2(out, STDOUT_FILENO) < 0 || dup2(out, STDERR_FILENO) < 0) {
            _exit(EXIT_FAILURE);
        }
        (void)execvp(argv[0], argv);
        perror(argv[0]);
        _exit(EXIT_FAILURE);
    }
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Find in a tool's log the line that names the error: the first with "error", otherwise the first one. */
static void told(char reason[REASON], const char *log, const char *tool)
{
    char text[LOG];
    FILE *const file = fopen(log, "r");
    const size_t length = file == NULL ? 0 : fread(text, 1, sizeof text - 1, file);
    text[length] = '\0';
    if (file != NULL) {
        (void)fclose(file);
    }
    const char *from = strstr(text, "error");
    from = from == NULL ? text : from;
    const int span = (int)strcspn(from, "\n");
    (void)snprintf(reason, REASON, "%s: %.*s", tool, span > 120 ? 120 : span, span == 0 ? "failed" : from);
}

bool make_room(const struct source *source)
{
    char tokens[PATH], conf[PATH];
    path_of(tokens, source, "tokens");
    path_of(conf, source, "softhsm2.conf");
    FILE *const file = fopen(conf, "w");
    if (file == NULL || mkdir(tokens, 0700) != 0) {
        perror(tokens);
        return false;
    }
    (void)fprintf(file, "directories.tokendir = %s\nobjectstore.backend = file\nlog.level = ERROR\n", tokens);
    if (fclose(file) != 0 || setenv("SOFTHSM2_CONF", conf, 1) != 0) {
        perror(conf);
        return false;
    }
    return true;
}

static EVP_PKEY *read_public(const char *path)
{
    unsigned char bytes[LOG];
    FILE *const file = fopen(path, "rb");
    const size_t length = file == NULL ? 0 : fread(bytes, 1, sizeof bytes, file);
    const unsigned char *at = bytes;
    if (file != NULL) {
        (void)fclose(file);
    }
    return d2i_PUBKEY(NULL, &at, (long)length);
}

EVP_PKEY *made_in_token(const struct source *source, const struct kind *kind, char refused[REASON])
{
    char log[PATH], der[PATH];
    path_of(log, source, "tool.log");
    path_of(der, source, kind->name);
    char *const module = (char *)source->module, *const name = (char *)kind->name;
    char *const token[] = {"softhsm2-util", "--module", module, "--init-token", "--free", "--label", name,
                           "--pin", PIN, "--so-pin", PIN, NULL};
    char *const make[] = {"pkcs11-tool", "--module", module, "--token-label", name, "--login", "--pin", PIN,
                          "--keypairgen", "--key-type", (char *)kind->tool, "--label", name, NULL};
    char *const read[] = {"pkcs11-tool", "--module", module, "--token-label", name, "--read-object", "--type",
                          "pubkey", "--label", name, "--output-file", der, NULL};
    char *const *const steps[] = {token, make, read};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        if (!run_tool(steps[i], log)) {
            told(refused, log, steps[i][0]);
            return NULL;
        }
    }
    EVP_PKEY *const open = read_public(der);
    if (open == NULL) {
        (void)snprintf(refused, REASON, "pkcs11-tool gives no public key that libcrypto reads");
    }
    return open;
}

int lock_token(const struct source *source)
{
    char path[PATH];
    path_of(path, source, "opening");
    const int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock < 0 || flock(lock, LOCK_EX) != 0) {
        perror(path);
        return -1;
    }
    return lock;
}

EVP_PKEY *opened_in_token(const struct source *source, const struct kind *kind, char refused[REASON])
{
    char uri[PATH];
    EVP_PKEY *key = NULL;
    ENGINE *const engine = ENGINE_by_id("pkcs11");
    (void)snprintf(uri, sizeof uri, "pkcs11:token=%s;object=%s;type=private", kind->name, kind->name);
    if (engine != NULL && ENGINE_ctrl_cmd_string(engine, "MODULE_PATH", source->module, 0) == 1 &&
        ENGINE_ctrl_cmd_string(engine, "PIN", PIN, 0) == 1 && ENGINE_init(engine) == 1) {
        key = ENGINE_load_private_key(engine, uri, NULL, NULL);
    }
    if (key == NULL) {
        char why[REASON];
        last_error(why, "it gives no such key");
        (void)snprintf(refused, REASON, "the engine pkcs11: %.150s", why);
    }
    return key;
}
