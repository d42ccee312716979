/* Encodings told apart, on small cases and on the corpus. */
#include "server/base/utf8.h"
#include "server/text/encoding.h"
#include "tests/support/corpus.h"

#include <criterion/criterion.h>

struct encoding_case {
    const char *bytes;
    size_t length;
    enum result result;
    enum encoding encoding;
    const char *text;
};
#define BYTES(literal) literal, sizeof(literal) - 1

Test(encoding, tells_encodings_apart)
{
    static const struct encoding_case cases[] = {
        {BYTES(""),                                          OK,      ENCODING_UTF8,    ""                   },
        {BYTES("plain"),                                     OK,      ENCODING_UTF8,    "plain"              },
        {BYTES("\xEF\xBB\xBF\xEF\xBB\xBFx"),                 OK,      ENCODING_UTF8,    "x"                  },
        {BYTES("\xFF\xFEx\0\x97\x67"),                       OK,      ENCODING_UTF16LE, "x林"               },
        {BYTES("\xFE\xFF\0x\xD8\x3D\xDE\x00"),               OK,      ENCODING_UTF16BE, "x😀"              },
        {BYTES("\0@\0a\0b\0c"),                              OK,      ENCODING_UTF16BE, "@abc"               },
        {BYTES("@\0a\0b\0c\0"),                              OK,      ENCODING_UTF16LE, "@abc"               },
        {BYTES("\xC1\xD6\xCF\xFE,\xD1\xD0\xBE\xBF\xC9\xFA"), OK,      ENCODING_GB18030,
         "林晓,研究生"                                                                                  },
        {BYTES("M\xFCller, Andr\xE9 \x96 Gro\xDF"),          OK,      ENCODING_CP1252,
         "Müller, André – Groß"                                                                         },
        {BYTES("M\xC3\xBCller und M\xFCller"),               OK,      ENCODING_CP1252,  "Müller und Müller"},
        {BYTES("\xA4\xFD\xAC\xFC\xB5\xB2\xA4\xD1\xAD\xCC"),  INVALID, ENCODING_UNKNOWN,
         NULL                                                                                                },
    };
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct decoded decoded;
        enum result result =
            encoding_decode(&decoded, arena, cases[i].bytes, cases[i].length);
        cr_expect_eq(result, cases[i].result, "case %zu", i);
        cr_expect_eq(decoded.encoding, cases[i].encoding, "case %zu: %s", i,
                     encoding_name(decoded.encoding));
        if (cases[i].text != NULL)
            cr_expect(slice_is(decoded.text, cases[i].text), "case %zu: %.*s", i,
                      (int)decoded.text.length, decoded.text.bytes);
    }
    arena_free(arena);
}

Test(encoding, a_file_cut_inside_a_character_keeps_the_rest)
{
    struct arena *arena = arena_new();
    const char bytes[] = "姓名,邮箱\n林晓,lin@lab.example\n王芳,wang@lab.example\n欧阳博,"
                         "bo@lab.example\n\xE6\x9E";
    struct decoded decoded;
    cr_assert_eq(encoding_decode(&decoded, arena, bytes, sizeof bytes - 1), OK);
    cr_expect_eq(decoded.encoding, ENCODING_UTF8);
    cr_expect_eq(decoded.replaced, 2);
    cr_expect(utf8_valid(decoded.text.bytes, decoded.text.length));
    arena_free(arena);
}

struct file_case {
    const char *name;
    enum encoding encoding;
    const char *contains;
};

Test(encoding, reads_the_corpus)
{
    static const struct file_case cases[] = {
        {"csv/roster/canonical-gbk-crlf.csv",            ENCODING_GB18030, NULL        },
        {"csv/roster/large-5000-gbk.csv",                ENCODING_GB18030, NULL        },
        {"csv/roster/title-rows-footer-gbk.csv",         ENCODING_GB18030, NULL        },
        {"csv/publications-excel-gbk.csv",               ENCODING_GB18030, NULL        },
        {"csv/roster/german-excel-cp1252-semicolon.csv", ENCODING_CP1252,  "ü"        },
        {"csv/roster/canonical-utf16le-tab.txt",         ENCODING_UTF16LE, NULL        },
        {"csv/roster/canonical-double-bom.csv",          ENCODING_UTF8,    NULL        },
        {"csv/roster/mojibake.csv",                      ENCODING_UTF8,    NULL        },
        {"csv/roster/truncated-utf8.csv",                ENCODING_UTF8,    NULL        },
        {"csv/roster/unicode-names.csv",                 ENCODING_UTF8,    NULL        },
        {"csv/roster/taiwan-big5.csv",                   ENCODING_UNKNOWN, NULL        },
        {"csv/roster/korean-cp949.csv",                  ENCODING_UNKNOWN, NULL        },
        {"bib/pkuthss-2011-gbk.bib",                     ENCODING_GB18030, "北京"    },
        {"bib/thuthesis-2008-gbk.bib",                   ENCODING_GB18030, "清华"    },
        {"bib/exomol-15NH3-latin1.bib",                  ENCODING_CP1252,  NULL        },
        {"bib/exomol-CaO-8bit.bib",                      ENCODING_CP1252,  NULL        },
        {"bib/exomol-TiO-8bit-dup.bib",                  ENCODING_CP1252,  NULL        },
        {"bib/exomol-specbiblio-8bit.bib",               ENCODING_CP1252,  NULL        },
        {"bib/exomol-HNO3-bom-unbal.bib",                ENCODING_UTF8,    NULL        },
        {"bib-suites/jabref/tiny-BE-noBOM.bib",          ENCODING_UTF16BE, "Verwilghen"},
        {"bib-suites/bibtexparser/gbk_test.bib",         ENCODING_GB18030, NULL        },
    };
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct slice file = corpus_read(arena, cases[i].name);
        struct decoded decoded;
        enum result result = encoding_decode(&decoded, arena, file.bytes, file.length);
        cr_expect_eq(decoded.encoding, cases[i].encoding, "%s: %s", cases[i].name,
                     encoding_name(decoded.encoding));
        cr_expect_eq(result, cases[i].encoding == ENCODING_UNKNOWN ? INVALID : OK);
        if (result == OK)
            cr_expect(utf8_valid(decoded.text.bytes, decoded.text.length));
        if (cases[i].contains != NULL)
            cr_expect_not_null(memmem(decoded.text.bytes, decoded.text.length,
                                      cases[i].contains, strlen(cases[i].contains)),
                               "%s has no %s", cases[i].name, cases[i].contains);
    }
    arena_free(arena);
}
