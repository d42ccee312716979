/* The urlencoded form parser; see urlencoded.h. */
#include "server/http/urlencoded.h"

#include "server/base/percent.h"

int urlencoded_finish(struct urlencoded *parser)
{
    struct buf *pair = &parser->pair;
    if (pair->length == 0)
        return 0;
    char *equals = memchr(pair->data, '=', pair->length);
    char *end = pair->data + pair->length;
    char *value = equals != NULL ? equals + 1 : end;
    size_t name_length = 0;
    size_t value_length = 0;
    if (percent_decode(pair->data, &name_length, pair->data,
                       (size_t)((equals != NULL ? equals : end) - pair->data),
                       true) != OK ||
        percent_decode(value, &value_length, value, (size_t)(end - value), true) != OK)
        return 400;
    int status =
        form_fields_text(parser->fields, pair->data, name_length, value, value_length);
    pair->length = 0;
    return status;
}

int urlencoded_feed(struct urlencoded *parser, const char *bytes, size_t length)
{
    const char *end = bytes + length;
    while (bytes < end) {
        const char *stop = memchr(bytes, '&', (size_t)(end - bytes));
        const char *to = stop != NULL ? stop : end;
        buf_append(&parser->pair, bytes, (size_t)(to - bytes));
        if (stop == NULL)
            break;
        int status = urlencoded_finish(parser);
        if (status != 0)
            return status;
        bytes = stop + 1;
    }
    return 0;
}
