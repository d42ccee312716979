/* labd-photo: one photo, from whatever a person uploaded to the sizes that pages show. A
 * program of its own: libvips and the codecs behind it see the hostile bytes here, within
 * limits of memory and time, without files, network or anything of labd's; and labd,
 * which does not link them, stays small.
 *
 *   labd-photo X Y WIDTH HEIGHT < image > answer
 *
 * The four are fractions (0 to 1) of the picture as it is seen, upright: the part to
 * show, of which the middle square is taken. The answer is lines, and bytes where a line
 * says so:
 *
 *   photo WIDTH HEIGHT     of the upright picture, pixels
 *   part NAME BYTES        then as many bytes: "96.webp", "96.jpg", "240.webp", ...
 *   end
 *
 * or one line "error CODE"; what the codes mean is in server/media/photo.h. Without
 * either the program has met a limit. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>
#include <vips/vips.h>

enum {
    MIB = 1024 * 1024,
    INPUT_MOST = 10 * MIB,
    MEMORY_MOST = 1024, /* MiB of address space, the libraries' own included */
    SECONDS_MOST = 10,  /* of processor time */
    PIXELS_MOST = 40 * 1000 * 1000,
    SIDE_LEAST = 96,
    WEBP_QUALITY = 80,
    JPEG_QUALITY = 82
};

static const int sizes[] = {640, 240, 96}; /* each made from the one before */
enum { SIZE_COUNT = sizeof sizes / sizeof *sizes };

struct input {
    uint8_t *bytes;
    size_t length;
};

struct crop {
    double x, y, width, height;
};

typedef int load(void *bytes, size_t length, VipsImage **image, ...);

static _Noreturn void refuse(const char *code)
{
    printf("error %s\n", code);
    (void)fflush(stdout);
    _exit(1);
}

static void limit(int resource, rlim_t most)
{
    struct rlimit limits = {most, most};
    if (setrlimit((__rlimit_resource_t)resource, &limits) != 0)
        refuse("failed");
}

/* Whatever a codec might be talked into, there is nothing here to take and no way out:
 * three descriptors are open and none is allowed, not in the place of one that is closed
 * either, so that nothing can be opened, connected or listened to. */
static void confine(void)
{
    close_range(3, ~0U, 0);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, 0);
    limit(RLIMIT_NOFILE, 0);
    limit(RLIMIT_AS, (rlim_t)MEMORY_MOST * MIB);
    limit(RLIMIT_CPU, SECONDS_MOST);
    setpriority(PRIO_PROCESS, 0, 10); /* pages come first */
}

static struct input read_input(void)
{
    struct input input = {malloc(INPUT_MOST + 1), 0};
    if (input.bytes == NULL)
        refuse("failed");
    while (input.length <= INPUT_MOST) {
        ssize_t count =
            read(STDIN_FILENO, input.bytes + input.length, INPUT_MOST + 1 - input.length);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            refuse("failed");
        if (count == 0)
            return input;
        input.length += (size_t)count;
    }
    refuse("too_large");
}

static bool begins(const struct input *input, size_t at, const char *bytes, size_t length)
{
    return input->length >= at + length && memcmp(input->bytes + at, bytes, length) == 0;
}
#define BEGINS(input, at, bytes) begins(input, at, bytes, sizeof(bytes) - 1)

/* Formats that are not taken, by name where that tells a person what to do. */
static const char *other_format(const struct input *input)
{
    static const char *const heic[] = {"heic", "heix", "hevc", "hevx",
                                       "heim", "mif1", "msf1"};
    if (BEGINS(input, 0, "GIF8"))
        return "gif";
    if (BEGINS(input, 4, "ftypavif") || BEGINS(input, 4, "ftypavis"))
        return "avif";
    for (size_t i = 0; i < sizeof heic / sizeof *heic; i++)
        if (BEGINS(input, 4, "ftyp") && begins(input, 8, heic[i], 4))
            return "heic";
    if (BEGINS(input, 0, "BM") || BEGINS(input, 0, "II*\0") ||
        BEGINS(input, 0, "MM\0*") || BEGINS(input, 0, "\0\0\1\0") ||
        BEGINS(input, 0, "\xff\x0a") || BEGINS(input, 4, "JXL ") ||
        BEGINS(input, 4, "jP  ") || BEGINS(input, 0, "<svg") ||
        BEGINS(input, 0, "<?xml") || BEGINS(input, 0, "%PDF"))
        return "format";
    return "not_image";
}

static uint32_t big_endian(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
           bytes[3];
}

/* An animated PNG says so before its pixels (PNG 3rd edition, 11.3.6.1). */
static bool png_moves(const struct input *input)
{
    for (size_t at = 8; at + 12 <= input->length;) {
        size_t length = big_endian(input->bytes + at);
        if (BEGINS(input, at + 4, "acTL"))
            return true;
        if (BEGINS(input, at + 4, "IDAT") || length > input->length)
            return false;
        at += 12 + length;
    }
    return false;
}

static load *loader_of(const struct input *input)
{
    if (BEGINS(input, 0, "\xff\xd8\xff"))
        return vips_jpegload_buffer;
    if (BEGINS(input, 0, "\x89PNG\r\n\x1a\n"))
        return vips_pngload_buffer;
    if (BEGINS(input, 0, "RIFF") && BEGINS(input, 8, "WEBP"))
        return vips_webpload_buffer;
    refuse(other_format(input));
}

static void start_vips(void)
{
    /* No modules with further formats; files' oddities are nobody's news. There is no
     * other thread yet. NOLINTBEGIN(concurrency-mt-unsafe) */
    setenv("VIPSHOME", "/nonexistent", 1);
    setenv("VIPS_WARNING", "1", 1);
    /* NOLINTEND(concurrency-mt-unsafe) */
    if (VIPS_INIT("labd-photo") != 0)
        refuse("failed");
    vips_block_untrusted_set(TRUE);
    vips_operation_block_set("VipsForeignLoad", TRUE);
    vips_operation_block_set("VipsForeignLoadJpegBuffer", FALSE);
    vips_operation_block_set("VipsForeignLoadPngBuffer", FALSE);
    vips_operation_block_set("VipsForeignLoadWebpBuffer", FALSE);
    vips_concurrency_set(1);
    vips_cache_set_max(0);
}

/* Says no to what the head alone tells: nothing is decoded yet. */
static void check_head(VipsImage *image, const struct input *input, load *loader)
{
    int64_t width = vips_image_get_width(image), height = vips_image_get_height(image);
    if (vips_image_get_n_pages(image) > 1 ||
        (loader == vips_pngload_buffer && png_moves(input)))
        refuse("animated");
    if (width * height > PIXELS_MOST)
        refuse("too_many_pixels");
    if (width < SIDE_LEAST || height < SIDE_LEAST)
        refuse("too_small");
}

/* The steps below end in NULL when libvips can't go on. Nothing is given back: the
 * program makes one photo and ends. */

/* White behind what is see-through: 16 bits have a white of their own. */
static VipsImage *flattened(VipsImage *image)
{
    VipsImage *made = NULL;
    if (!vips_image_hasalpha(image))
        return image;
    bool deep = vips_image_get_format(image) == VIPS_FORMAT_USHORT;
    VipsArrayDouble *white = vips_array_double_newv(1, deep ? 65535.0 : 255.0);
    return vips_flatten(image, &made, "background", white, NULL) == 0 ? made : NULL;
}

static VipsImage *scaled(VipsImage *image, double scale)
{
    VipsImage *made = NULL;
    return vips_resize(image, &made, scale, NULL) == 0 ? made : NULL;
}

/* sRGB of 8 bits, by the picture's own profile where that is of use. */
static VipsImage *in_srgb(VipsImage *image)
{
    VipsImage *made = NULL;
    if (vips_image_get_typeof(image, VIPS_META_ICC_NAME) != 0 &&
        vips_icc_transform(image, &made, "srgb", "embedded", TRUE, "depth", 8, NULL) ==
            0 &&
        vips_image_get_bands(made) == 3)
        return made;
    made = NULL;
    if (vips_colourspace(image, &made, VIPS_INTERPRETATION_sRGB, NULL) != 0)
        return NULL;
    VipsImage *bytes = NULL;
    return vips_cast_uchar(made, &bytes, NULL) == 0 ? bytes : NULL;
}

static VipsImage *upright(VipsImage *image)
{
    VipsImage *made = NULL;
    return vips_autorot(image, &made, NULL) == 0 ? made : NULL;
}

static int within(double value, int least, int most)
{
    return value < least ? least : value > most ? most : (int)value;
}

/* The middle square of the wanted part, of an upright picture. */
static VipsImage *cropped(VipsImage *image, const struct crop *crop)
{
    VipsImage *made = NULL;
    int width = vips_image_get_width(image), height = vips_image_get_height(image);
    double across = crop->width * width, down = crop->height * height;
    double side = across < down ? across : down;
    int pixels = within(side + .5, 1, width < height ? width : height);
    int left = within(crop->x * width + (across - side) / 2 + .5, 0, width - pixels);
    int top = within(crop->y * height + (down - side) / 2 + .5, 0, height - pixels);
    return vips_extract_area(image, &made, left, top, pixels, pixels, NULL) == 0 ? made
                                                                                 : NULL;
}

/* The side of the wanted square, in pixels of the picture as stored. */
static double side_of(VipsImage *image, const struct crop *crop)
{
    bool sideways = vips_image_get_orientation(image) >= 5;
    double width = vips_image_get_width(image), height = vips_image_get_height(image);
    double across = crop->width * (sideways ? height : width);
    double down = crop->height * (sideways ? width : height);
    return across < down ? across : down;
}

/* A JPEG can be decoded smaller at once: by how much, leaving room for a good resize. */
static int shrink_of(double side)
{
    int shrink = 1;
    while (shrink < 8 && side / (shrink * 2) >= sizes[0] * 2)
        shrink *= 2;
    return shrink;
}

static VipsImage *opened(const struct input *input, load *loader, int shrink,
                         VipsFailOn fail_on)
{
    VipsImage *image = NULL;
    int status = shrink > 1 ? loader(input->bytes, input->length, &image, "access",
                                     VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, "shrink",
                                     shrink, NULL)
                            : loader(input->bytes, input->length, &image, "access",
                                     VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, NULL);
    return status == 0 ? image : NULL;
}

/* Reads the picture once, from the first line to the last, so that a cut one is found
 * wherever the crop is; on the way it becomes as small as the largest size allows, and
 * that alone is kept in memory. */
static VipsImage *decoded(const struct input *input, load *loader,
                          const struct crop *crop, VipsFailOn fail_on)
{
    VipsImage *image = opened(input, loader, 1, fail_on);
    if (image == NULL)
        return NULL;
    int shrink =
        loader == (load *)vips_jpegload_buffer ? shrink_of(side_of(image, crop)) : 1;
    if (shrink > 1)
        image = opened(input, loader, shrink, fail_on);
    if (image == NULL)
        return NULL;
    double scale = sizes[0] / side_of(image, crop);
    image = flattened(image);
    if (image != NULL && scale < 1)
        image = scaled(image, scale);
    return image == NULL ? NULL : vips_image_copy_memory(image);
}

/* Made anew from the pixels alone: no place, no camera, no profile can have come along.
 */
static VipsImage *bare(VipsImage *image)
{
    VipsImage *plain, *made = NULL;
    size_t size;
    void *pixels = vips_image_write_to_memory(image, &size);
    if (pixels == NULL)
        return NULL;
    plain = vips_image_new_from_memory(
        pixels, size, vips_image_get_width(image), vips_image_get_height(image),
        vips_image_get_bands(image), vips_image_get_format(image));
    if (plain == NULL ||
        vips_copy(plain, &made, "interpretation", VIPS_INTERPRETATION_sRGB, NULL) != 0)
        return NULL;
    return made;
}

static VipsImage *square(const struct input *input, load *loader, const struct crop *crop)
{
    VipsImage *image = decoded(input, loader, crop, VIPS_FAIL_ON_TRUNCATED);
    if (image == NULL) /* is it whole but for its end? */
        refuse(decoded(input, loader, crop, VIPS_FAIL_ON_NONE) != NULL ? "truncated"
                                                                       : "damaged");
    image = upright(image);
    if (image != NULL)
        image = cropped(image, crop);
    if (image != NULL)
        image = in_srgb(image);
    if (image == NULL)
        refuse("damaged");
    return bare(image);
}

static void put(const char *name, const void *head, size_t head_length, const void *bytes,
                size_t length)
{
    printf("part %s %zu\n", name, head_length + length);
    if (fwrite(head, 1, head_length, stdout) != head_length ||
        fwrite(bytes, 1, length, stdout) != length)
        _exit(1); /* nobody listens any more */
}

static uint32_t little_endian(const uint8_t *bytes)
{
    return (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[1] << 8 |
           bytes[0];
}

/* libvips writes a small EXIF of its own into every WebP, asked to strip or not. The
 * picture is one chunk, "VP8 ", which makes a whole file by itself (RFC 9649, 2.5). */
static bool put_webp(const char *name, const uint8_t *bytes, size_t length)
{
    for (size_t at = 12; at + 8 <= length;) {
        size_t size = 8 + ((little_endian(bytes + at + 4) + 1U) & ~1U);
        if (size > length - at)
            return false;
        if (memcmp(bytes + at, "VP8 ", 4) == 0) {
            uint32_t rest = (uint32_t)size + 4;
            uint8_t head[12] = {'R', 'I', 'F', 'F', 0, 0, 0, 0, 'W', 'E', 'B', 'P'};
            for (int i = 0; i < 4; i++)
                head[4 + i] = (uint8_t)(rest >> 8 * i);
            put(name, head, sizeof head, bytes + at, size);
            return true;
        }
        at += size;
    }
    return false;
}

/* Without metadata of any kind. */
static bool put_size(VipsImage *image, int size)
{
    void *bytes = NULL;
    size_t length = 0;
    char name[32];
    if (vips_webpsave_buffer(image, &bytes, &length, "Q", WEBP_QUALITY, "strip", TRUE,
                             NULL) != 0)
        return false;
    snprintf(name, sizeof name, "%d.webp", size);
    if (!put_webp(name, bytes, length))
        return false;
    if (vips_jpegsave_buffer(image, &bytes, &length, "Q", JPEG_QUALITY, "strip", TRUE,
                             "optimize_coding", TRUE, "interlace", TRUE, NULL) != 0)
        return false;
    snprintf(name, sizeof name, "%d.jpg", size);
    put(name, "", 0, bytes, length);
    return true;
}

/* Never larger than what was given. */
static void put_sizes(VipsImage *image)
{
    for (int i = 0; i < SIZE_COUNT; i++) {
        int side = vips_image_get_width(image);
        if (side > sizes[i]) {
            image = scaled(image, (double)sizes[i] / side);
            image = image == NULL ? NULL : vips_image_copy_memory(image);
        }
        if (image == NULL || !put_size(image, sizes[i]))
            refuse("failed");
    }
}

static bool read_fraction(double *out, const char *text)
{
    char *end;
    *out = strtod(text, &end);
    return *text != '\0' && *end == '\0' && *out >= 0 && *out <= 1;
}

static void read_crop(struct crop *crop, char *words[])
{
    if (!read_fraction(&crop->x, words[0]) || !read_fraction(&crop->y, words[1]) ||
        !read_fraction(&crop->width, words[2]) || !read_fraction(&crop->height, words[3]))
        refuse("failed");
}

int main(int argc, char *argv[])
{
    struct crop crop;
    if (argc != 5)
        refuse("failed");
    read_crop(&crop, argv + 1);
    confine();
    struct input input = read_input();
    load *loader = loader_of(&input);
    start_vips();
    VipsImage *head = opened(&input, loader, 1, VIPS_FAIL_ON_NONE);
    if (head == NULL)
        refuse("damaged");
    check_head(head, &input, loader);
    if (side_of(head, &crop) < SIDE_LEAST)
        refuse("too_small");
    int width = vips_image_get_width(head), height = vips_image_get_height(head);
    bool sideways = vips_image_get_orientation(head) >= 5;
    VipsImage *image = square(&input, loader, &crop);
    if (image == NULL)
        refuse("failed");
    printf("photo %d %d\n", sideways ? height : width, sideways ? width : height);
    put_sizes(image);
    puts("end");
    return fflush(stdout) == 0 ? 0 : 1;
}
