/* The multipart form parser: a window of the body moves over it; what can no longer be
 * part of a delimiter leaves the window at once. */
#include "server/http/multipart.h"

#include "server/base/utf8.h"
#include "server/http/body.h"
#include "server/http/parameters.h"

#include <string.h>
#include <strings.h>

enum { BOUNDARY_MAX = 70, WINDOW = BODY_PART_HEADERS_MAX + 8 * 1024, TYPE_MAX = 100 };

enum state { PREAMBLE, AFTER_DELIMITER, HEADERS, DATA, EPILOGUE };

struct file {
    struct upload upload; /* first */
    struct spool spool;
    struct file *next;
};

struct multipart {
    struct arena *arena;
    struct form_fields *fields;
    enum state state;
    int parts;
    char delimiter[4 + BOUNDARY_MAX + 1]; /* CR LF "--" boundary */
    size_t delimiter_length;
    char window[WINDOW];
    size_t length;
    const char *name;  /* of the part */
    struct file *file; /* NULL: the part is a text */
    bool dropped;      /* a file input that was left empty */
    struct buf text;
    struct file *files, **last_file;
};

static const char *read_boundary(struct arena *arena, const char *type)
{
    const char *boundary = NULL;
    if (parameters_find(arena, type, "boundary", &boundary) != OK || boundary == NULL)
        return NULL;
    size_t length = strlen(boundary);
    if (length == 0 || length > BOUNDARY_MAX || boundary[length - 1] == ' ')
        return NULL;
    for (const char *c = boundary; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || (unsigned char)*c >= 0x7f)
            return NULL;
    return boundary;
}

struct multipart *multipart_new(struct arena *arena, const char *type,
                                struct form_fields *fields)
{
    const char *boundary = read_boundary(arena, type);
    if (boundary == NULL)
        return NULL;
    struct multipart *parser = arena_alloc(arena, sizeof *parser);
    memset(parser, 0, offsetof(struct multipart, window));
    parser->arena = arena;
    parser->fields = fields;
    parser->length = 2; /* so that a delimiter at the very start is one like the others */
    memcpy(parser->window, "\r\n", 2);
    parser->delimiter_length = (size_t)snprintf(
        parser->delimiter, sizeof parser->delimiter, "\r\n--%s", boundary);
    parser->name = NULL;
    parser->file = NULL;
    parser->dropped = false;
    parser->text = buf_on(arena);
    parser->files = NULL;
    parser->last_file = &parser->files;
    return parser;
}

static void consume(struct multipart *parser, size_t length)
{
    parser->length -= length;
    memmove(parser->window, parser->window + length, parser->length);
}

/* --- the headers of a part ---------------------------------------------------------- */

/* What follows the last slash or backslash. */
static const char *base_name(const char *filename)
{
    for (const char *c = filename; *c != '\0'; c++)
        if (*c == '/' || *c == '\\')
            filename = c + 1;
    return filename;
}

static int start_file(struct multipart *parser, const char *filename, const char *type)
{
    if (!utf8_valid(filename, strlen(filename)) || strlen(filename) > BODY_NAME_MAX * 4)
        return 400;
    struct file *file = ARENA_NEW(parser->arena, struct file);
    file->spool = spool_on(parser->arena);
    file->upload.name = parser->name;
    file->upload.filename = base_name(filename);
    file->upload.type =
        type != NULL && strlen(type) <= TYPE_MAX ? type : "application/octet-stream";
    parser->file = file;
    parser->dropped = *filename == '\0';
    return 0;
}

static int start_part(struct multipart *parser, const char *disposition, const char *type)
{
    const char *filename = NULL;
    parser->file = NULL;
    parser->dropped = false;
    parser->text.length = 0;
    if (++parser->parts > BODY_FIELDS_MAX)
        return 413;
    if (disposition == NULL || !parameters_value_is(disposition, "form-data") ||
        parameters_find(parser->arena, disposition, "name", &parser->name) != OK ||
        parser->name == NULL || *parser->name == '\0' ||
        parameters_find(parser->arena, disposition, "filename", &filename) != OK)
        return 400;
    return filename != NULL ? start_file(parser, filename, type) : 0;
}

/* The value of a line that is field `name`, or NULL. */
static char *field_value(char *line, const char *name)
{
    size_t length = strlen(name);
    if (strncasecmp(line, name, length) != 0 || line[length] != ':')
        return NULL;
    line += length + 1;
    return line + strspn(line, " \t");
}

/* `headers` ends with an empty line; it is taken apart. */
static int read_headers(struct multipart *parser, char *headers, size_t length)
{
    char *disposition = NULL;
    char *type = NULL;
    if (memchr(headers, '\0', length) != NULL)
        return 400;
    headers[length] = '\0';
    for (char *line = headers; *line != '\0';) {
        char *end = strstr(line, "\r\n");
        if (end == NULL || *line == ' ' || *line == '\t')
            return 400; /* RFC 822 folding is obsolete, and nobody sends it */
        *end = '\0';
        char *value;
        if ((value = field_value(line, "Content-Disposition")) != NULL) {
            if (disposition != NULL)
                return 400;
            disposition = value;
        } else if ((value = field_value(line, "Content-Type")) != NULL) {
            type = value;
        } else if ((value = field_value(line, "Content-Transfer-Encoding")) != NULL &&
                   strcasecmp(value, "binary") != 0 && strcasecmp(value, "8bit") != 0 &&
                   strcasecmp(value, "7bit") != 0) {
            return 400; /* deprecated by RFC 7578 4.7 */
        }
        line = end + 2;
    }
    return start_part(parser, disposition, type);
}

/* --- the data of a part ------------------------------------------------------------- */

static int part_data(struct multipart *parser, const char *bytes, size_t length)
{
    if (parser->file != NULL) {
        if (length > 0)
            parser->dropped = false;
        return spool_add(&parser->file->spool, bytes, length) == OK ? 0 : 507;
    }
    if (parser->text.length + length > BODY_VALUES_MAX)
        return 413;
    buf_append(&parser->text, bytes, length);
    return 0;
}

static int end_part(struct multipart *parser)
{
    size_t name_length = strlen(parser->name);
    struct file *file = parser->file;
    if (parser->dropped)
        return 0;
    if (file == NULL)
        return form_fields_text(parser->fields, parser->name, name_length,
                                parser->text.data, parser->text.length);
    *parser->last_file = file;
    parser->last_file = &file->next;
    parser->file = NULL;
    file->upload.length = file->spool.length;
    if (spool_finish(&file->spool, &file->upload.data) != OK)
        return 507;
    json_t *value = json_object();
    json_object_set_new(value, "filename", json_string(file->upload.filename));
    json_object_set_new(value, "size", json_integer((json_int_t)file->upload.length));
    return form_fields_add(parser->fields, parser->name, name_length, value);
}

/* --- the window --------------------------------------------------------------------- */

/* How much of the window can't belong to a delimiter. */
static size_t settled(const struct multipart *parser)
{
    size_t tail = parser->delimiter_length - 1;
    if (parser->length <= tail)
        return 0;
    return parser->length - tail;
}

static const char *find_delimiter(const struct multipart *parser)
{
    return memmem(parser->window, parser->length, parser->delimiter,
                  parser->delimiter_length);
}

/* In PREAMBLE, DATA. Sets *more when the state has changed. */
static int run_until_delimiter(struct multipart *parser, bool *more)
{
    const char *found = find_delimiter(parser);
    size_t before = found != NULL ? (size_t)(found - parser->window) : settled(parser);
    int status = 0;
    if (parser->state == DATA) {
        status = part_data(parser, parser->window, before);
        if (status == 0 && found != NULL)
            status = end_part(parser);
    }
    consume(parser, before + (found != NULL ? parser->delimiter_length : 0));
    if (found != NULL)
        parser->state = AFTER_DELIMITER;
    *more = found != NULL;
    return status;
}

static int run_after_delimiter(struct multipart *parser, bool *more)
{
    size_t space = 0;
    *more = false;
    if (parser->length < 2)
        return 0;
    if (memcmp(parser->window, "--", 2) == 0) {
        parser->state = EPILOGUE;
        *more = true;
        return 0;
    }
    while (space < parser->length &&
           (parser->window[space] == ' ' || parser->window[space] == '\t'))
        space++;
    if (space > BOUNDARY_MAX)
        return 400;
    if (parser->length - space < 2)
        return 0;
    if (memcmp(parser->window + space, "\r\n", 2) != 0)
        return 400;
    consume(parser, space + 2);
    parser->state = HEADERS;
    *more = true;
    return 0;
}

static int run_headers(struct multipart *parser, bool *more)
{
    *more = false;
    if (parser->length >= 2 && memcmp(parser->window, "\r\n", 2) == 0)
        return 400; /* a part without a name */
    char *end = memmem(parser->window, parser->length, "\r\n\r\n", 4);
    size_t length = end != NULL ? (size_t)(end - parser->window) + 2 : parser->length;
    if (length > BODY_PART_HEADERS_MAX)
        return 400;
    if (end == NULL)
        return 0;
    char *headers = arena_copy(parser->arena, parser->window, length);
    consume(parser, length + 2);
    int status = read_headers(parser, headers, length);
    parser->state = DATA;
    *more = true;
    return status;
}

static int run(struct multipart *parser)
{
    bool more = true;
    int status = 0;
    while (more && status == 0)
        switch (parser->state) {
        case PREAMBLE:
        case DATA:
            status = run_until_delimiter(parser, &more);
            break;
        case AFTER_DELIMITER:
            status = run_after_delimiter(parser, &more);
            break;
        case HEADERS:
            status = run_headers(parser, &more);
            break;
        case EPILOGUE:
            parser->length = 0;
            more = false;
            break;
        }
    return status;
}

int multipart_feed(struct multipart *parser, const char *bytes, size_t length)
{
    int status = 0;
    while (length > 0 && status == 0) {
        size_t room = WINDOW - parser->length;
        size_t part = length < room ? length : room;
        memcpy(parser->window + parser->length, bytes, part);
        parser->length += part;
        bytes += part;
        length -= part;
        status = run(parser);
    }
    return status;
}

int multipart_finish(struct multipart *parser, struct upload **uploads)
{
    if (parser->state != EPILOGUE)
        return 400;
    struct upload **last = uploads;
    for (struct file *file = parser->files; file != NULL; file = file->next) {
        *last = &file->upload;
        last = &file->upload.next;
    }
    *last = NULL;
    return 0;
}

void multipart_release(struct multipart *parser)
{
    if (parser->file != NULL)
        spool_release(&parser->file->spool);
    for (struct file *file = parser->files; file != NULL; file = file->next)
        spool_release(&file->spool);
}
