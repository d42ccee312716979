/* Dates as people and spreadsheets write them; see value.h. */
#include "server/form/value.h"

#include <stdio.h>
#include <string.h>

/* What stands after a part: '-', '/', '.', or the Chinese word for it. */
struct parts {
    int year, month, day; /* 0: not given */
};

static bool take_number(const char **at, int most_digits, int *out)
{
    int digits = 0;
    *out = 0;
    while (**at >= '0' && **at <= '9' && digits < most_digits) {
        *out = *out * 10 + (*(*at)++ - '0');
        digits++;
    }
    return digits > 0 && !(**at >= '0' && **at <= '9');
}

static bool take(const char **at, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(*at, word, length) != 0)
        return false;
    *at += length;
    return true;
}

/* 2024年9月1日, 2024年9月, 2024年; "日" and "号" alike. */
static bool chinese(const char *at, struct parts *parts)
{
    if (*at == '\0')
        return true;
    if (!take_number(&at, 2, &parts->month) || !take(&at, "月"))
        return false;
    if (*at == '\0')
        return true;
    return take_number(&at, 2, &parts->day) && (take(&at, "日") || take(&at, "号")) &&
           *at == '\0';
}

static bool split(const char *at, struct parts *parts)
{
    *parts = (struct parts){0, 0, 0};
    const char *start = at;
    if (!take_number(&at, 4, &parts->year) || at - start != 4)
        return false;
    if (*at == '\0')
        return true;
    if (take(&at, "年"))
        return chinese(at, parts);
    char between = *at;
    if (strchr("-/.", between) == NULL)
        return false;
    at++;
    if (!take_number(&at, 2, &parts->month))
        return false;
    if (*at == '\0')
        return true;
    if (*at != between)
        return false;
    at++;
    if (!take_number(&at, 2, &parts->day))
        return false;
    return *at == '\0' || strcmp(at, " 00:00:00") == 0 || strcmp(at, "T00:00:00") == 0;
}

static int days_in(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 && leap ? 29 : days[month - 1];
}

/* A part that was written is a part of the calendar ("2024-00" is not "2024"). */
static bool read_parts(const char *text, struct parts *parts, int *given)
{
    if (!split(text, parts))
        return false;
    *given = 1;
    for (const char *at = text; *at != '\0'; at++) {
        bool digit = *at >= '0' && *at <= '9';
        bool before = at > text && at[-1] >= '0' && at[-1] <= '9';
        *given += digit && !before && at > text && *given < 3;
    }
    if (parts->year < 1000 || parts->year > 2999)
        return false;
    if (*given >= 2 && (parts->month < 1 || parts->month > 12))
        return false;
    return *given < 3 ||
           (parts->day >= 1 && parts->day <= days_in(parts->year, parts->month));
}

const char *value_date(const char **out, struct arena *arena, const char *text,
                       enum rounding round)
{
    struct parts parts;
    int given;
    if (!read_parts(text, &parts, &given))
        return "date";
    if (given < 3 && round == ROUND_NOT)
        return "date";
    if (given < 2)
        parts.month = round == ROUND_TO_START ? 1 : 12;
    if (given < 3)
        parts.day = round == ROUND_TO_START ? 1 : days_in(parts.year, parts.month);
    *out = arena_print(arena, "%04d-%02d-%02d", parts.year, parts.month, parts.day);
    return NULL;
}

const char *value_month(const char **out, struct arena *arena, const char *text)
{
    struct parts parts;
    int given;
    if (!read_parts(text, &parts, &given) || given != 2)
        return "month";
    *out = arena_print(arena, "%04d-%02d", parts.year, parts.month);
    return NULL;
}

bool value_excel_date(const char **out, struct arena *arena, const char *text)
{
    json_int_t serial;
    if (!value_integer(&serial, text) || serial < 367 || serial > 109574 ||
        strlen(text) < 5) /* four digits are a year */
        return false;
    /* Day 61 is 1900-03-01 (Excel counts a 29 February 1900), so 0 is 1899-12-30. */
    int year = 1900;
    int month = 1;
    int days = (int)serial - 2;
    while (days >= 365 + (days_in(year, 2) == 29))
        days -= 365 + (days_in(year++, 2) == 29);
    while (days >= days_in(year, month))
        days -= days_in(year, month++);
    *out = arena_print(arena, "%04d-%02d-%02d", year, month, days + 1);
    return true;
}
