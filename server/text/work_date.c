/* Reading dates; see work_date.h. */
#include "server/text/work_date.h"

#include <stdbool.h>

/* The next number of at most `most` digits at or behind `*at`, which moves behind it; -1
 * when there is none. Longer runs of digits are passed over. */
static int next_number(struct slice text, size_t *at, size_t most)
{
    while (*at < text.length) {
        size_t from = *at;
        int number = 0;
        while (*at < text.length && text_digit(text.bytes[*at]) && *at - from < 9)
            number = number * 10 + (text.bytes[(*at)++] - '0');
        size_t digits = *at - from;
        if (digits > 0 && digits <= most)
            return number;
        *at += digits == 0;
    }
    return -1;
}

static int first_year(struct slice text)
{
    size_t at = 0;
    int number;
    while ((number = next_number(text, &at, 4)) != -1)
        if (number >= 1000 && number <= 2999)
            return number;
    return 0;
}

/* A month by its English or German name, or the first three letters of it. */
static int named_month(struct slice text)
{
    static const struct {
        const char *name;
        int month;
    } names[] = {
        {"jan",        1 },
        {"feb",        2 },
        {"mar",        3 },
        {"m\xC3\xA4r", 3 },
        {"apr",        4 },
        {"may",        5 },
        {"mai",        5 },
        {"jun",        6 },
        {"jul",        7 },
        {"aug",        8 },
        {"sep",        9 },
        {"oct",        10},
        {"okt",        10},
        {"nov",        11},
        {"dec",        12},
        {"dez",        12}
    };
    for (size_t at = 0; at + 3 <= text.length; at++) {
        if (at > 0 && text_letter(text.bytes[at - 1]))
            continue;
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            size_t length = strlen(names[i].name);
            if (at + length <= text.length &&
                strncasecmp(text.bytes + at, names[i].name, length) == 0)
                return names[i].month;
        }
    }
    return 0;
}

static int within(int number, int most)
{
    return number >= 1 && number <= most ? number : 0;
}

static void read_month(struct work_date *result, struct slice month)
{
    size_t at = 0;
    int number = next_number(month, &at, 2);
    result->month = named_month(month);
    if (result->month == 0)
        result->month = within(number, 12);
    else
        result->day = within(number, 31);
}

static void drop_impossible_day(struct work_date *result)
{
    static const int days[] = {0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year = result->year;
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    if (result->month == 0 || result->year == 0 || result->day > days[result->month] ||
        (result->month == 2 && result->day == 29 && !leap))
        result->day = 0;
}

struct work_date work_date(struct slice date, struct slice year, struct slice month,
                           struct slice day)
{
    struct work_date result = {0};
    result.year = first_year(date);
    if (result.year != 0) {
        size_t at = 0;
        while (next_number(date, &at, 4) != result.year)
            continue;
        if (at < date.length && date.bytes[at] == '-') {
            result.month = within(next_number(date, &at, 2), 12);
            if (at < date.length && date.bytes[at] == '-')
                result.day = within(next_number(date, &at, 2), 31);
        }
    } else {
        result.year = first_year(year);
    }
    if (result.month == 0 && month.length > 0)
        read_month(&result, month);
    size_t at = 0;
    if (result.day == 0 && day.length > 0)
        result.day = within(next_number(day, &at, 2), 31);
    if (result.year == 0)
        result.month = 0;
    drop_impossible_day(&result);
    return result;
}
