/* Arenas: bump allocation in blocks, freed together; see arena.h for the rules. */
#include "server/base/arena.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_SIZE ((size_t)64 * 1024)
#define ALIGNMENT _Alignof(max_align_t)

struct block {
    struct block *next;
    size_t size, used;
    max_align_t bytes[];
};

struct arena {
    struct block *blocks; /* newest first */
    size_t used;
};

static _Thread_local struct arena *current;

static void *must_malloc(size_t size)
{
    void *memory = malloc(size);
    if (memory == NULL) {
        fputs("level=fatal event=memory.exhausted\n", stderr);
        abort();
    }
    return memory;
}

static struct block *block_new(struct block *next, size_t size)
{
    struct block *block = must_malloc(sizeof *block + size);
    *block = (struct block){.next = next, .size = size};
    return block;
}

struct arena *arena_new(void)
{
    struct arena *arena = must_malloc(sizeof *arena);
    *arena = (struct arena){0};
    return arena;
}

static void free_blocks(struct block *block)
{
    while (block != NULL) {
        struct block *next = block->next;
        free(block);
        block = next;
    }
}

void arena_free(struct arena *arena)
{
    if (arena == NULL)
        return;
    free_blocks(arena->blocks);
    free(arena);
}

void arena_reset(struct arena *arena)
{
    struct block *keep = NULL;
    struct block *next = NULL;
    for (struct block *block = arena->blocks; block != NULL; block = next) {
        next = block->next;
        if (keep == NULL && block->size == BLOCK_SIZE)
            keep = block;
        else
            free(block);
    }
    if (keep != NULL) {
        keep->next = NULL;
        keep->used = 0;
    }
    arena->blocks = keep;
    arena->used = 0;
}

size_t arena_used(const struct arena *arena)
{
    return arena->used;
}

void *arena_alloc(struct arena *arena, size_t size)
{
    if (size > SIZE_MAX / 2)
        abort();
    arena->used += size;
#ifdef LABD_CHECKED_ARENA
    struct block *own = block_new(arena->blocks, size > 0 ? size : 1);
    arena->blocks = own;
    return own->bytes;
#else
    size_t rounded = (size + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
    struct block *block = arena->blocks;
    if (block == NULL || block->size - block->used < rounded) {
        if (rounded > BLOCK_SIZE / 4 && block != NULL) {
            /* A large item gets a block of its own, behind the one being filled. */
            struct block *own = block_new(block->next, rounded);
            own->used = rounded;
            block->next = own;
            return own->bytes;
        }
        block = block_new(block, rounded > BLOCK_SIZE ? rounded : BLOCK_SIZE);
        arena->blocks = block;
    }
    void *item = (char *)block->bytes + block->used;
    block->used += rounded;
    return item;
#endif
}

void *arena_zero(struct arena *arena, size_t size)
{
    void *item = arena_alloc(arena, size);
    memset(item, 0, size);
    return item;
}

char *arena_copy(struct arena *arena, const char *bytes, size_t length)
{
    char *copy = arena_alloc(arena, length + 1);
    if (length > 0)
        memcpy(copy, bytes, length);
    copy[length] = '\0';
    return copy;
}

char *arena_string(struct arena *arena, const char *string)
{
    return arena_copy(arena, string, strlen(string));
}

char *arena_print(struct arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0)
        abort();
    char *text = arena_alloc(arena, (size_t)length + 1);
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

struct arena *arena_enter(struct arena *arena)
{
    struct arena *before = current;
    current = arena;
    return before;
}

struct arena *arena_current(void)
{
    if (current == NULL) {
        fputs("level=fatal event=arena.none hint=\"arena_enter first\"\n", stderr);
        abort();
    }
    return current;
}

static void *json_alloc(size_t size)
{
    return arena_alloc(arena_current(), size);
}

static void json_release(void *memory)
{
    (void)memory; /* goes with its arena */
}

void json_on_arena(void)
{
    json_set_alloc_funcs(json_alloc, json_release);
    json_object_seed(0);
}
