/* Hashing is made to cost 64 MiB and 70 ms, so a flood of sign-ins could take the
 * machine: one hash runs at a time, and the line behind it is short. */
#include "server/guard/password.h"

#include "server/base/buf.h"
#include "server/base/config.h"
#include "server/base/log.h"
#include "server/base/utf8.h"

#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>

enum { WAITING_MAX = 16, PASSES = 3, MEMORY = 64 << 20, WORDS_MAX = 512, WORD_MAX = 40 };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t free;
    bool taken;
    int waiting;
} turn = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, 0};

static char words[WORDS_MAX][WORD_MAX];
static size_t word_count;

static int line_length(void)
{
    enum { OTHERS = 2, AT_WORK = 1 };
    long length = config.workers - OTHERS - AT_WORK;
    return length < 1 ? 1 : length > WAITING_MAX ? WAITING_MAX : (int)length;
}

static enum result take_turn(void)
{
    enum result result = OK;
    pthread_mutex_lock(&turn.lock);
    if (turn.taken && turn.waiting >= line_length()) {
        result = BUSY;
    } else {
        turn.waiting++;
        while (turn.taken)
            pthread_cond_wait(&turn.free, &turn.lock);
        turn.waiting--;
        turn.taken = true;
    }
    pthread_mutex_unlock(&turn.lock);
    if (result == BUSY)
        log_warning("guard.hash_queue_full");
    return result;
}

static void leave_turn(void)
{
    pthread_mutex_lock(&turn.lock);
    turn.taken = false;
    pthread_cond_signal(&turn.free);
    pthread_mutex_unlock(&turn.lock);
}

enum result password_hash(const char **hash, struct arena *arena, const char *password)
{
    char *text = arena_alloc(arena, crypto_pwhash_STRBYTES);
    if (strlen(password) > PASSWORD_BYTES)
        return INVALID;
    TRY(take_turn());
    int failed = sodium_init() < 0 ||
                 crypto_pwhash_str(text, password, strlen(password), PASSES, MEMORY) != 0;
    leave_turn();
    if (failed) {
        log_error("guard.hash_failed");
        return FAILED;
    }
    *hash = text;
    return OK;
}

enum result password_verify(const char *hash, const char *password)
{
    char unused[crypto_pwhash_STRBYTES];
    if (strlen(password) > PASSWORD_BYTES)
        return INVALID;
    TRY(take_turn());
    int wrong = sodium_init() < 0;
    if (hash && !wrong) {
        wrong = crypto_pwhash_str_verify(hash, password, strlen(password)) != 0;
    } else if (!wrong) {
        /* Nobody to compare with: the same work all the same. */
        wrong = 1;
        if (crypto_pwhash_str(unused, password, strlen(password), PASSES, MEMORY) != 0)
            log_error("guard.hash_failed");
    }
    leave_turn();
    return wrong ? DENIED : OK;
}

bool password_outdated(const char *hash)
{
    return crypto_pwhash_str_needs_rehash(hash, PASSES, MEMORY) != 0;
}

enum result password_load(const char *file)
{
    char line[WORD_MAX * 2];
    FILE *in = fopen(file, "re");
    if (!in) {
        log_error("guard.no_word_list", "file", file);
        return FAILED;
    }
    word_count = 0;
    while (word_count < WORDS_MAX && fgets(line, sizeof line, in)) {
        size_t length = strcspn(line, "\r\n");
        if (length == 0 || length >= WORD_MAX || line[0] == '#')
            continue;
        memcpy(words[word_count], line, length);
        words[word_count++][length] = '\0';
    }
    (void)fclose(in);
    return OK;
}

/* Letters alone, folded: what is left of "P@ss-word 2026" is "pssword". */
static const char *letters(struct arena *arena, const char *text, bool digits)
{
    const char *folded = utf8_fold(arena, text, strlen(text));
    struct buf out = buf_on(arena);
    for (; *folded; folded++) {
        unsigned char c = (unsigned char)*folded;
        bool digit = c >= '0' && c <= '9';
        if (c >= 0x80 || (c >= 'a' && c <= 'z') || (digit && digits))
            buf_char(&out, (char)c);
    }
    return out.data;
}

static bool is_letter(char c)
{
    return (c & 0x80) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* The usual replacements of letters undone within a word: "p4$$w0rd-2026" is "password".
 */
static const char *plain(struct arena *arena, const char *text)
{
    static const char from[] = "013457@$!", to[] = "oleastasi";
    size_t length = strlen(text);
    while (length && !is_letter(text[length - 1]))
        length--;
    char *out = arena_copy(arena, text, length);
    for (char *at = out; *at; at++) {
        const char *found = strchr(from, *at);
        if (found)
            *at = to[found - from];
    }
    return out;
}

/* Can `text` be laid out of common words without a gap? */
static bool made_of_words(struct arena *arena, const char *text)
{
    size_t length = strlen(text);
    bool *reached = ARENA_ARRAY(arena, bool, length + 1);
    reached[0] = true;
    for (size_t at = 0; at < length; at++) {
        if (!reached[at])
            continue;
        for (size_t w = 0; w < word_count; w++) {
            size_t size = strlen(words[w]);
            if (size <= length - at && memcmp(text + at, words[w], size) == 0)
                reached[at + size] = true;
        }
    }
    return reached[length];
}

/* A step to the same character, or the next or last one in code or on a row of digits,
 * costs who guesses nothing. */
static bool repeated(const char *password)
{
    size_t length = strlen(password), size, surprises = 0;
    int32_t before = -1, first = -1, second = -1;
    bool two = true;
    for (size_t at = 0; at < length; at += size) {
        int32_t code = utf8_next(password + at, length - at, &size);
        int32_t step = before < 0 ? 0 : code - before;
        surprises += step < -1 || step > 1;
        first = first < 0 ? code : first;
        if (code != first) {
            two = two && (second < 0 || code == second);
            second = second < 0 ? code : second;
        }
        before = code;
    }
    return two || surprises < 4;
}

/* Is the password `known` with less than eight characters besides? */
static bool close_to(struct arena *arena, const char *password, const char *known)
{
    const char *rest = letters(arena, password, true);
    const char *part = letters(arena, known, true);
    size_t size = strlen(part);
    return size >= 4 && strstr(rest, part) && strlen(rest) - size < 8;
}

static bool personal(struct arena *arena, const char *password, const char *known)
{
    const char *local = arena_copy(arena, known, strcspn(known, "@"));
    return close_to(arena, password, known) || close_to(arena, password, local);
}

enum password_fault password_fault(struct arena *arena, const char *password,
                                   const char *const known[])
{
    size_t length = strlen(password);
    if (length > PASSWORD_BYTES)
        return PASSWORD_LONG;
    if (utf8_fault(password, length, false) != UTF8_FINE)
        return PASSWORD_MALFORMED;
    if (utf8_length(password, length) < PASSWORD_LEAST)
        return PASSWORD_SHORT;
    if (repeated(password))
        return PASSWORD_REPEATED;
    for (size_t i = 0; known[i]; i++)
        if (personal(arena, password, known[i]))
            return PASSWORD_PERSONAL;
    /* Digits alone are dates and telephone numbers. */
    if (made_of_words(arena, letters(arena, password, false)) ||
        made_of_words(arena, letters(arena, plain(arena, password), false)))
        return PASSWORD_COMMON;
    return PASSWORD_FINE;
}

const char *password_fault_name(enum password_fault fault)
{
    static const char *const names[] = {"fine",     "short",    "long",  "malformed",
                                        "repeated", "personal", "common"};
    return names[fault];
}
