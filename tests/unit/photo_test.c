/* Photos, by the real program: what comes out is sound, upright, square and bare; what is
 * no fit photo is named. Pictures of each kind are made here, byte by byte; the corpus
 * then brings what cameras and their owners do. */
#include "server/base/arena.h"
#include "server/base/buf.h"
#include "server/media/photo.h"
#include "tests/support/corpus.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static struct arena *arena;

static void enter(void)
{
    arena = arena_new();
    arena_enter(arena);
}

TestSuite(photo, .init = enter);

static void put_32(struct buf *out, uint32_t number)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        buf_char(out, (char)(number >> shift & 0xFF));
}

static void put_chunk(struct buf *out, const char *type, const void *bytes, size_t length)
{
    put_32(out, (uint32_t)length);
    size_t start = out->length;
    buf_append(out, type, 4);
    buf_append(out, bytes, length);
    put_32(out, (uint32_t)crc32(0, (const Bytef *)out->data + start,
                                (uInt)(out->length - start)));
}

/* A PNG (W3C PNG, 5) of two halves: `left` and `right`, RGB. `before` the pixels stands a
 * chunk when it has a name; `depth` is 8 or 16. */
struct made {
    uint32_t width, height;
    int depth;
    const char *chunk, *content;
    size_t content_length;
};

static struct buf png(const struct made *made)
{
    struct buf out = buf_on(arena), head = buf_on(arena), rows = buf_on(arena);
    size_t bytes = (size_t)made->depth / 8;
    put_32(&head, made->width);
    put_32(&head, made->height);
    buf_char(&head, (char)made->depth);
    buf_append(&head, "\2\0\0\0", 4); /* RGB */
    for (uint32_t y = 0; y < made->height && made->width < 5000; y++) {
        buf_char(&rows, 0);
        for (uint32_t x = 0; x < made->width; x++)
            for (int c = 0; c < 3; c++)
                for (size_t b = 0; b < bytes; b++)
                    buf_char(&rows,
                             c == (x * 2 < made->width ? 0 : 2) ? (char)0xE0 : 0x10);
    }
    uLongf size = compressBound(rows.length);
    char *packed = arena_alloc(arena, size);
    compress((Bytef *)packed, &size, (const Bytef *)rows.data, rows.length);
    buf_append(&out, "\x89PNG\r\n\x1a\n", 8);
    put_chunk(&out, "IHDR", head.data, head.length);
    if (made->chunk != NULL)
        put_chunk(&out, made->chunk, made->content, made->content_length);
    put_chunk(&out, "IDAT", packed, size);
    put_chunk(&out, "IEND", "", 0);
    return out;
}

static struct buf plain(uint32_t width, uint32_t height)
{
    return png(&(struct made){width, height, 8, NULL, NULL, 0});
}

static struct photo make(struct buf image, enum result expected)
{
    struct photo photo;
    enum result result =
        photo_make(&photo, arena, image.data, image.length, &photo_whole);
    cr_assert_eq(result, expected, "%d %s", (int)result, photo.error);
    return photo;
}

static void expect_refused(struct buf image, const char *code)
{
    struct photo photo = make(image, INVALID);
    cr_expect_str_eq(photo.error, code);
}

static int width_of_jpeg(const char *bytes, size_t length)
{
    const unsigned char *jpeg = (const unsigned char *)bytes;
    for (size_t at = 2; at + 9 < length;
         at += 2 + (size_t)(jpeg[at + 2] << 8 | jpeg[at + 3]))
        if (jpeg[at + 1] == 0xC0 || jpeg[at + 1] == 0xC2)
            return jpeg[at + 7] << 8 | jpeg[at + 8];
    return 0;
}

static bool holds(const char *bytes, size_t length, const char *what)
{
    return memmem(bytes, length, what, strlen(what)) != NULL;
}

/* Each part is a sound file of its type, of its size or the picture's, and carries
 * nothing but a picture. */
static void expect_sound(const struct photo *photo, const char *which)
{
    static const char *const names[] = {"640.webp", "640.jpg", "240.webp",
                                        "240.jpg",  "96.webp", "96.jpg"};
    static const char *const notes[] = {"Exif", "EXIF", "GPS",   "http",  "ICC_PROFILE",
                                        "ICCP", "XMP",  "Adobe", "<?php", "<script"};
    cr_assert_eq(photo->count, PHOTO_PARTS, "%s", which);
    int least = photo->width < photo->height ? photo->width : photo->height;
    for (size_t i = 0; i < PHOTO_PARTS; i++) {
        const char *bytes = photo->parts[i].bytes;
        size_t length = photo->parts[i].length;
        cr_expect_str_eq(photo->parts[i].name, names[i]);
        if (i % 2 == 0) {
            cr_expect(memcmp(bytes, "RIFF", 4) == 0 &&
                          memcmp(bytes + 8, "WEBPVP8 ", 8) == 0,
                      "%s", which);
        } else {
            int size = atoi(names[i]);
            cr_expect_eq(width_of_jpeg(bytes, length), size < least ? size : least,
                         "%s %s", which, names[i]);
        }
        for (size_t j = 0; j < sizeof notes / sizeof *notes; j++)
            cr_expect_not(holds(bytes, length, notes[j]), "%s %s holds %s", which,
                          names[i], notes[j]);
    }
}

Test(photo, becomes_three_sizes_twice)
{
    struct photo photo = make(plain(1000, 700), OK);
    expect_sound(&photo, "made");
    cr_expect_eq(photo.width, 1000);
    cr_expect_eq(photo.height, 700);
}

Test(photo, is_never_enlarged)
{
    struct photo photo = make(plain(300, 120), OK);
    expect_sound(&photo, "made");
}

Test(photo, of_sixteen_bits_is_a_photo)
{
    struct photo photo = make(png(&(struct made){200, 200, 16, NULL, NULL, 0}), OK);
    expect_sound(&photo, "made");
}

/* Each half has one colour: the half that is asked for is what comes. Its WebP and JPEG
 * are as small as a plane of one colour is. */
Test(photo, shows_the_part_that_was_chosen)
{
    struct buf image = plain(800, 400);
    struct photo both, left;
    const struct photo_crop half = {0, 0, .5, 1};
    cr_assert_eq(photo_make(&both, arena, image.data, image.length, &photo_whole), OK);
    cr_assert_eq(photo_make(&left, arena, image.data, image.length, &half), OK);
    cr_expect_lt(left.parts[1].length, both.parts[1].length);
    const struct photo_crop speck = {0, 0, .1, .1};
    cr_expect_eq(photo_make(&left, arena, image.data, image.length, &speck), INVALID);
    cr_expect_str_eq(left.error, "too_small");
}

Test(photo, that_is_none_is_called_so)
{
    struct buf image = buf_on(arena);
    expect_refused(image, "not_image");
    buf_string(&image, "<!doctype html><script>alert(1)</script>");
    expect_refused(image, "not_image");
    image.length = 0;
    buf_append(&image, "\xff\xd8", 2);
    expect_refused(image, "not_image");
}

Test(photo, of_another_format_is_named)
{
    static const struct {
        const char *bytes, *code;
    } kinds[] = {
        {"GIF89a................",           "gif"   },
        {"....ftypheic............",         "heic"  },
        {"....ftypmif1............",         "heic"  },
        {"....ftypavif............",         "avif"  },
        {"BM......................",         "format"},
        {"<svg xmlns='x'>.........",         "format"},
        {"<?xml version='1.0'?><svg></svg>", "format"},
        {"%PDF-1.7 ...............",         "format"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct buf image = buf_on(arena);
        buf_string(&image, kinds[i].bytes);
        expect_refused(image, kinds[i].code);
    }
}

Test(photo, too_small_too_large_or_moving_is_refused_by_its_head)
{
    expect_refused(plain(95, 400), "too_small");
    expect_refused(plain(400, 95), "too_small");
    expect_refused(plain(30000, 30000), "too_many_pixels");
    expect_refused(plain(UINT32_MAX / 2, 2), "damaged");
    expect_refused(png(&(struct made){200, 200, 8, "acTL", "\0\0\0\2\0\0\0\0", 8}),
                   "animated");
    struct buf large = plain(200, 200);
    buf_reserve(&large, PHOTO_BYTES_MOST);
    memset(large.data + large.length, 0, PHOTO_BYTES_MOST - large.length + 1);
    large.length = PHOTO_BYTES_MOST + 1;
    expect_refused(large, "too_large");
}

/* Wherever it is cut there is an answer: a code, or a photo when only the very end, after
 * the last line, is gone. */
Test(photo, that_is_cut_is_no_photo)
{
    struct buf image = plain(400, 400);
    size_t whole = image.length;
    for (size_t part = 1; part < 12; part++) {
        image.length = whole * part / 12;
        struct photo photo;
        enum result result =
            photo_make(&photo, arena, image.data, image.length, &photo_whole);
        cr_expect_eq(result, INVALID, "cut at %zu of %zu", image.length, whole);
        cr_expect(strcmp(photo.error, "truncated") == 0 ||
                      strcmp(photo.error, "damaged") == 0,
                  "%s", photo.error);
    }
}

Test(photo, that_is_also_something_else_is_only_a_photo_afterwards)
{
    static const char tail[] = "<?php system($_GET[0]); ?><script>alert(1)</script>";
    static const char text[] = "Comment\0<script>alert(1)</script> GPS http://x.example";
    struct buf image = png(&(struct made){200, 200, 8, "tEXt", text, sizeof text - 1});
    buf_string(&image, tail);
    struct photo photo = make(image, OK);
    expect_sound(&photo, "made");
}

/* The claim of a size is not the size: what the pixels lack is found. */
Test(photo, whose_head_lies_is_refused)
{
    struct buf image = plain(300, 300);
    struct buf lie = plain(3000, 300);
    memcpy(image.data + 8, lie.data + 8, 25); /* IHDR with its checksum */
    struct photo photo = make(image, INVALID);
    cr_expect(strcmp(photo.error, "truncated") == 0 ||
                  strcmp(photo.error, "damaged") == 0,
              "%s", photo.error);
}

static bool known(const char *code)
{
    static const char *const codes[] = {
        "not_image", "heic",      "avif",    "gif",       "format",
        "animated",  "truncated", "damaged", "too_large", "too_many_pixels",
        "too_small"};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (strcmp(codes[i], code) == 0)
            return true;
    return false;
}

Test(photo, of_the_corpus_is_sound_or_has_a_reason)
{
    const char **files;
    size_t sound = 0, count = corpus_list(&files, arena, "images");
    cr_assert_gt(count, 100);
    for (size_t i = 0; i < count; i++) {
        struct slice bytes = corpus_read(arena, files[i]);
        struct photo photo;
        enum result result =
            photo_make(&photo, arena, bytes.bytes, bytes.length, &photo_whole);
        cr_expect(result == OK || (result == INVALID && known(photo.error)), "%s: %d %s",
                  files[i], (int)result, photo.error);
        if (result == OK)
            expect_sound(&photo, files[i]);
        sound += result == OK;
    }
    cr_expect_gt(sound, 30);
}

/* Eight ways to hold a camera, one picture: stored turned, they come out the same but for
 * what compressing twice leaves, which is told by their sizes in bytes. Pixel by pixel a
 * browser compares them in tests/browser/photo.test.mjs. */
Test(photo, of_the_corpus_in_each_orientation_has_the_same_shape)
{
    static const char *const kinds[] = {"Landscape_3", "Landscape_8", "Portrait_5",
                                        "Portrait_6"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *name = arena_print(arena, "%s/images/exif/recurser_%s.jpg",
                                       corpus_folder(), kinds[i]);
        struct slice bytes = corpus_read(arena, name);
        struct photo photo;
        cr_assert_eq(photo_make(&photo, arena, bytes.bytes, bytes.length, &photo_whole),
                     OK);
        cr_expect_eq(photo.width > photo.height, kinds[i][0] == 'L', "%s", name);
    }
}
