/* Runs labd-photo and reads its answer; see photo.h and child/photo.c. */
#include "server/media/photo.h"

#include "server/base/buf.h"
#include "server/base/clock.h"
#include "server/base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    AT_ONCE = 2, /* photos being made */
    WAITING_MOST = 2,
    WAIT_SECONDS = 10,
    ANSWER_SECONDS = 20,
    ANSWER_MOST = 4 * 1024 * 1024
};

const struct photo_crop photo_whole = {0, 0, 1, 1};

static sem_t places;

__attribute__((constructor)) static void open_places(void)
{
    sem_init(&places, 0, AT_ONCE);
}

/* Those who wait keep a worker busy each, and leave some to everybody else. */
static bool take_place(void)
{
    static atomic_int waiting;
    struct timespec until;
    if (sem_trywait(&places) == 0)
        return true;
    if (atomic_fetch_add(&waiting, 1) >= WAITING_MOST) {
        atomic_fetch_sub(&waiting, 1);
        return false;
    }
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += WAIT_SECONDS;
    int status;
    do
        status = sem_timedwait(&places, &until);
    while (status != 0 && errno == EINTR);
    atomic_fetch_sub(&waiting, 1);
    return status == 0;
}

/* The program beside this one. */
static const char *program(struct arena *arena)
{
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    while (length > 0 && path[length - 1] != '/')
        length--;
    return length > 0 ? arena_print(arena, "%.*slabd-photo", (int)length, path) : "";
}

/* The upload as a file without a name: the program reads it as fast as it likes. */
static int input_of(const char *bytes, size_t length)
{
    int file = memfd_create("photo", MFD_CLOEXEC);
    for (size_t done = 0; file >= 0 && done < length;) {
        ssize_t count = write(file, bytes + done, length - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0) {
            close(file);
            return -1;
        }
        done += (size_t)count;
    }
    if (file >= 0)
        lseek(file, 0, SEEK_SET);
    return file;
}

static char *fraction(struct arena *arena, double value)
{
    return arena_print(arena, "%.6f", value >= 0 && value <= 1 ? value : 0);
}

/* 0, or the error number. */
static int spawn(pid_t *child, struct arena *arena, int in, int out,
                 const struct photo_crop *crop)
{
    char *const words[] = {
        arena_string(arena, "labd-photo"), fraction(arena, crop->x),
        fraction(arena, crop->y),          fraction(arena, crop->width),
        fraction(arena, crop->height),     NULL};
    char *const nothing[] = {NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, pipe;
    sigemptyset(&none);
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &pipe);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    int status =
        posix_spawn(child, program(arena), &actions, &attributes, words, nothing);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return status;
}

/* All that comes, until the end, the limit or the deadline. */
static void read_answer(struct buf *answer, int from)
{
    int64_t deadline = clock_ms() + ANSWER_SECONDS * 1000;
    char bytes[16384];
    while (answer->length < ANSWER_MOST) {
        struct pollfd waiting = {.fd = from, .events = POLLIN};
        int64_t left = deadline - clock_ms();
        int ready = left > 0 ? poll(&waiting, 1, (int)left) : 0;
        if (ready < 0 && errno == EINTR)
            continue;
        ssize_t count = ready > 0 ? read(from, bytes, sizeof bytes) : 0;
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return;
        buf_append(answer, bytes, (size_t)count);
    }
}

static enum result run(struct buf *answer, struct arena *arena, int in,
                       const struct photo_crop *crop)
{
    int ends[2];
    pid_t child;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return FAILED;
    int status = spawn(&child, arena, in, ends[1], crop);
    close(ends[1]);
    if (status == 0) {
        read_answer(answer, ends[0]);
        kill(child, SIGKILL); /* it has ended, or shall */
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    close(ends[0]);
    if (status == 0)
        return OK;
    log_error("photo.program", "path", program(arena), "reason", strerrordesc_np(status));
    return FAILED;
}

/* One line of the answer, without its end; NULL: there is none. */
static const char *take_line(struct arena *arena, const struct buf *answer, size_t *at)
{
    const char *start = answer->data + *at;
    const char *end = memchr(start, '\n', answer->length - *at);
    if (end == NULL)
        return NULL;
    *at += (size_t)(end - start) + 1;
    return arena_copy(arena, start, (size_t)(end - start));
}

static bool take_part(struct photo *photo, struct arena *arena, const struct buf *answer,
                      size_t *at, const char *line)
{
    char name[32];
    size_t length;
    if (photo->count == PHOTO_PARTS ||
        sscanf(line, "part %31s %zu", name, &length) != 2 ||
        length > answer->length - *at)
        return false;
    photo->parts[photo->count].name = arena_string(arena, name);
    photo->parts[photo->count].type =
        strstr(name, ".webp") != NULL ? "image/webp" : "image/jpeg";
    photo->parts[photo->count].bytes = answer->data + *at;
    photo->parts[photo->count].length = length;
    photo->count++;
    *at += length;
    return true;
}

/* The whole answer of child/photo.c; anything else is a picture that was too much. */
static enum result understand(struct photo *photo, struct arena *arena,
                              const struct buf *answer)
{
    size_t at = 0;
    const char *line = take_line(arena, answer, &at);
    photo->error = "damaged";
    if (line == NULL)
        return INVALID;
    if (strncmp(line, "error ", 6) == 0) {
        photo->error = line + 6;
        return strcmp(photo->error, "failed") == 0 ? FAILED : INVALID;
    }
    if (sscanf(line, "photo %9d %9d", &photo->width, &photo->height) != 2)
        return INVALID;
    while ((line = take_line(arena, answer, &at)) != NULL && strcmp(line, "end") != 0)
        if (!take_part(photo, arena, answer, &at, line))
            return INVALID;
    return line != NULL && photo->count == PHOTO_PARTS ? OK : INVALID;
}

enum result photo_make(struct photo *photo, struct arena *arena, const char *bytes,
                       size_t length, const struct photo_crop *crop)
{
    *photo = (struct photo){.error = "too_large"};
    if (length > PHOTO_BYTES_MOST)
        return INVALID;
    if (!take_place())
        return BUSY;
    struct buf answer = buf_on(arena);
    int in = input_of(bytes, length);
    enum result result = in < 0 ? BUSY : run(&answer, arena, in, crop);
    if (in >= 0)
        close(in);
    sem_post(&places);
    return result == OK ? understand(photo, arena, &answer) : result;
}

bool photo_ready(const char **path)
{
    *path = program(arena_current());
    return access(*path, X_OK) == 0;
}
