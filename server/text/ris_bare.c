/* The two formats whose tags stand bare before their values, Web of Science's .ciw and
 * RefWorks, to documents; see ris.h. */
#include "server/text/plain.h"
#include "server/text/ris.h"
#include "server/text/ris_private.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static bool says(struct slice text, const char *word)
{
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= text.length && i < 400; i++)
        if (strncasecmp(text.bytes + i, word, length) == 0)
            return true;
    return false;
}

static const char *wos_kind(const struct tagged_record *record)
{
    struct slice form = tagged_value(record, "PT");
    struct slice type = tagged_value(record, "DT");
    if (says(type, "proceedings paper") && !slice_is(form, "J"))
        return "conference";
    if (slice_is(form, "J"))
        return says(type, "data paper") || !says(type, "data set") ? "article"
                                                                   : "dataset";
    if (slice_is(form, "B") || slice_is(form, "S"))
        return says(type, "chapter") || tagged_value(record, "BS").length > 0 ? "chapter"
                                                                              : "book";
    if (slice_is(form, "C"))
        return "conference";
    return "other";
}

json_t *wos_document(struct arena *arena, const struct tagged_record *record)
{
    static const struct tagged_rule wos[] = {
        {"title",     "",                                          "TI"   },
        {"venue",     "article conference chapter preprint other", "SO JI"},
        {"series",    "",                                          "SE"   },
        {"volume",    "",                                          "VL"   },
        {"issue",     "",                                          "IS"   },
        {"number",    "",                                          "AR"   },
        {"publisher", "",                                          "PU"   },
        {"place",     "",                                          "PI"   },
        {"language",  "",                                          "LA"   },
        {"abstract",  "",                                          "AB"   },
    };
    static const char *const dates[] = {"PY", "PD"};
    struct draft draft = draft_begin(arena, wos_kind(record));
    bool full = tagged_value(record, "AF").length > 0;
    tagged_apply(&draft, record, wos, COUNT(wos));
    tagged_people(&draft, "authors", record, full ? "AF" : "AU", true);
    tagged_people(&draft, "authors", record, "CA", true);
    tagged_people(&draft, "editors", record, "BE", true);
    draft_pages(&draft, tagged_value(record, "BP"), tagged_value(record, "EP"));
    ris_put_date(&draft, record, dates, COUNT(dates));
    ris_put_identifiers(&draft, record);
    if (strcmp(draft.kind, "book") == 0)
        draft_identifier(&draft, "isbn", tagged_value(record, "BN"));
    return draft_finish(&draft);
}

static const char *refworks_kind(const struct tagged_record *record, bool *unknown)
{
    static const struct tagged_kind kinds[] = {
        {"chapter",      "chapter"   },
        {"section",      "chapter"   },
        {"conference",   "conference"},
        {"journal",      "article"   },
        {"magazine",     "article"   },
        {"newspaper",    "article"   },
        {"book",         "book"      },
        {"monograph",    "book"      },
        {"dissertation", "thesis"    },
        {"thesis",       "thesis"    },
        {"report",       "report"    },
        {"unpublished",  "preprint"  },
        {"computer",     "software"  },
        {"dataset",      "dataset"   },
        {"generic",      "other"     },
        {"web",          "other"     },
        {"patent",       "other"     },
    };
    struct slice type = tagged_value(record, "RT");
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (says(type, kinds[i].word))
            return kinds[i].kind;
    *unknown = type.length > 0;
    return "other";
}

json_t *refworks_document(struct arena *arena, const struct tagged_record *record,
                          bool *unknown)
{
    static const struct tagged_rule rules[] = {
        {"title",     "",                                  "T1"      },
        {"venue",     "article conference preprint other", "JF T2 JO"},
        {"venue",     "chapter",                           "T2 JF"   },
        {"series",    "book",                              "T2 T3"   },
        {"series",    "article conference chapter",        "T3"      },
        {"volume",    "",                                  "VO"      },
        {"issue",     "article conference preprint other", "IS"      },
        {"edition",   "",                                  "ED"      },
        {"publisher", "",                                  "PB"      },
        {"place",     "",                                  "PP"      },
        {"language",  "",                                  "LA"      },
        {"abstract",  "",                                  "AB"      },
        {"note",      "",                                  "NO"      },
    };
    static const char *const dates[] = {"YR", "FD"};
    struct draft draft = draft_begin(arena, refworks_kind(record, unknown));
    tagged_apply(&draft, record, rules, COUNT(rules));
    tagged_people(&draft, "authors", record, "A1", false);
    if (strcmp(draft.kind, "thesis") != 0)
        tagged_people(&draft, "editors", record, "A2", false);
    draft_pages(&draft, tagged_value(record, "SP"), tagged_value(record, "OP"));
    ris_put_date(&draft, record, dates, COUNT(dates));
    ris_put_identifiers(&draft, record);
    draft_url(&draft, tagged_value(record, "UL"));
    draft_url(&draft, tagged_value(record, "LK"));
    if (strcmp(draft.kind, "book") == 0)
        draft_identifier(&draft, "isbn", tagged_value(record, "SN"));
    return draft_finish(&draft);
}
