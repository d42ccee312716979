/* EndNote's .enw (and refer, its forebear) and NoteExpress's lists as documents: lines of
 * a letter and a value. */
#include "server/text/plain.h"
#include "server/text/tagged_draft.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static const struct tagged_kind types[] = {
    {"Journal Article",         "article"   },
    {"Electronic Article",      "article"   },
    {"Magazine Article",        "article"   },
    {"Newspaper Article",       "article"   },
    {"Conference Paper",        "conference"},
    {"Conference Proceedings",  "conference"},
    {"Book",                    "book"      },
    {"Edited Book",             "book"      },
    {"Electronic Book",         "book"      },
    {"Serial",                  "book"      },
    {"Book Section",            "chapter"   },
    {"Electronic Book Section", "chapter"   },
    {"Encyclopedia",            "chapter"   },
    {"Dictionary",              "chapter"   },
    {"Thesis",                  "thesis"    },
    {"Report",                  "report"    },
    {"Government Document",     "report"    },
    {"Standard",                "report"    },
    {"Unpublished Work",        "preprint"  },
    {"Preprint",                "preprint"  },
    {"Computer Program",        "software"  },
    {"Dataset",                 "dataset"   },
    {"Online Database",         "dataset"   },
    {"Web Page",                "other"     },
    {"Patent",                  "other"     },
    {"Generic",                 "other"     },
    {"Manuscript",              "other"     },
};

static const struct tagged_rule rules[] = {
    {"title",     "",                                  "T"    },
    {"venue",     "article preprint other",            "J B"  },
    {"venue",     "conference",                        "B J S"},
    {"venue",     "chapter",                           "B J"  },
    {"series",    "article conference chapter",        "S"    },
    {"series",    "book report",                       "S B"  },
    {"volume",    "",                                  "V"    },
    {"issue",     "article conference preprint other", "N"    },
    {"number",    "report",                            "N @"  },
    {"edition",   "",                                  "7"    },
    {"publisher", "",                                  "I"    },
    {"publisher", "thesis",                            "B J"  },
    {"place",     "",                                  "C"    },
    {"genre",     "thesis report",                     "9"    },
    {"language",  "",                                  "G"    },
    {"abstract",  "",                                  "X"    },
    {"note",      "",                                  "Z"    },
};

/* refer has no types: its tags tell. */
static const char *kind_of(const struct tagged_record *record, bool *unknown)
{
    struct slice type = tagged_value(record, "0");
    const char *kind = tagged_kind(type, types, COUNT(types));
    *unknown = kind == NULL && type.length > 0;
    if (kind != NULL)
        return kind;
    if (tagged_value(record, "J").length > 0)
        return "article";
    if (tagged_value(record, "B").length > 0)
        return "chapter";
    if (tagged_value(record, "R").length > 0 && type.length == 0)
        return "report";
    return tagged_value(record, "I").length > 0 && type.length == 0 ? "book" : "other";
}

static json_t *document_of(struct arena *arena, const struct tagged_record *record,
                           bool *unknown)
{
    struct draft draft = draft_begin(arena, kind_of(record, unknown));
    tagged_apply(&draft, record, rules, COUNT(rules));
    tagged_people(&draft, "authors", record, "A", true);
    if (strcmp(draft.kind, "thesis") != 0)
        tagged_people(&draft, "editors", record, "E", true);
    draft_pages(&draft, tagged_value(record, "P"), (struct slice){"", 0});
    draft_date(&draft, tagged_value(record, "D"));
    draft_date(&draft, tagged_value(record, "8"));
    draft_identifier(&draft, "doi", tagged_value(record, "R"));
    draft_identifier(&draft, "doi", tagged_value(record, "M"));
    for (size_t i = 0; i < record->count; i++)
        if (strcmp(record->fields[i].tag, "U") == 0)
            draft_url(&draft, record->fields[i].value);
        else if (strcmp(record->fields[i].tag, ">") == 0)
            draft_link(&draft, "pdf", record->fields[i].value);
    if (strcmp(draft.kind, "book") == 0)
        draft_identifier(&draft, "isbn", tagged_value(record, "@"));
    return draft_finish(&draft);
}

static enum result endnote_open(void **state, struct arena *arena, struct slice text,
                                const struct bibtex_limits *limits)
{
    enum tagged_dialect dialect =
        tagged_dialect(text, 1U << TAGGED_ENDNOTE | 1U << TAGGED_EXPRESS);
    *state = tagged_open(arena, text, dialect, limits);
    return OK;
}

static enum result endnote_next(struct bibliography_entry *entry, void *state,
                                struct arena *arena)
{
    struct tagged_record record;
    bool unknown = false;
    TRY(tagged_next(&record, state, arena));
    struct slice label = plain_text(arena, tagged_value(&record, "F"));
    if (label.length > 0 && label.length < 200)
        entry->key = label.bytes;
    record.headless = false; /* refer has no such line */
    if (!tagged_entry(entry, &record))
        return OK;
    entry->document = document_of(arena, &record, &unknown);
    if (unknown)
        bibliography_remark(entry, record.line, "unknown_type",
                            tagged_value(&record, "0"),
                            "a type of work that is not known");
    return OK;
}

const struct bibliography_reader endnote_reader = {.open = endnote_open,
                                                   .next = endnote_next};
