/* Marks of authors, as biblatex annotates lists (manual, 3.7) and our writers do:
 * "author+an = {1=equal; 2=corresponding, equal}". */
#include "server/text/work_private.h"

/* The next run of letters or digits in text[*at..] before a ; which is "" there. */
static struct slice next_word(struct slice text, size_t *at)
{
    while (*at < text.length && text.bytes[*at] != ';' && !text_letter(text.bytes[*at]) &&
           !text_digit(text.bytes[*at]))
        ++*at;
    size_t from = *at;
    while (*at < text.length &&
           (text_letter(text.bytes[*at]) || text_digit(text.bytes[*at])))
        ++*at;
    return (struct slice){text.bytes + from, *at - from};
}

static size_t position_of(struct slice word)
{
    size_t position = 0;
    for (size_t i = 0; i < word.length && i < 6; i++) {
        if (!text_digit(word.bytes[i]))
            return 0;
        position = position * 10 + (size_t)(word.bytes[i] - '0');
    }
    return position;
}

void work_put_marks(struct work *w)
{
    struct slice text = bibtex_value(w->entry, "author+an");
    json_t *authors = json_object_get(w->document, "authors");
    for (size_t at = 0; at < text.length; at++) {
        size_t position = position_of(next_word(text, &at));
        json_t *author = position > 0 ? json_array_get(authors, position - 1) : NULL;
        for (struct slice word = next_word(text, &at); word.length > 0;
             word = next_word(text, &at)) {
            if (author != NULL && slice_is(word, "equal"))
                json_object_set_new(author, "equal", json_true());
            else if (author != NULL && slice_is(word, "corresponding"))
                json_object_set_new(author, "corresponding", json_true());
        }
    }
}
