/* Citations in the six styles: what each style's rules say of one work of each kind,
 * names of every make, and that nothing is left of what a work does not have. */
#include "server/base/arena.h"
#include "server/text/citation.h"

#include <criterion/criterion.h>
#include <jansson.h>

static json_t *work(const char *json)
{
    json_error_t error;
    json_t *document = json_loads(json, 0, &error);
    cr_assert_not_null(document, "%s in %s", error.text, json);
    return document;
}

static const char *text_in(enum citation_style style, json_t *document)
{
    struct buf out = buf_on(arena_current());
    citation_text(&out, style, document, ENGLISH);
    return out.data;
}

static void says(enum citation_style style, json_t *document, const char *expected)
{
    cr_expect_str_eq(text_in(style, document), expected, "%s", text_in(style, document));
}

#define LIN "{\"name\":\"Xiao Lin\",\"family\":\"Lin\",\"given\":\"Xiao\"}"
#define BEETHOVEN                                                                        \
    "{\"name\":\"Ludwig van Beethoven Jr.\",\"family\":\"van Beethoven\","               \
    "\"given\":\"Ludwig\"}"
#define OUYANG "{\"name\":\"欧阳博\",\"family\":\"欧阳\",\"given\":\"博\"}"
#define WHO "{\"name\":\"World Health Organization\",\"family\":null,\"given\":null}"

static json_t *article(void)
{
    return work(
        "{\"kind\":\"article\",\"title\":\"Seeing the unseen\",\"venue\":\"Journal "
        "of Light\",\"volume\":\"12\",\"issue\":\"3\",\"pages\":\"100--112\","
        "\"year\":2020,\"month\":6,\"authors\":[" LIN "," BEETHOVEN
        "],\"identifiers\":[{\"scheme\":\"doi\",\"value\":\"10.1/a_b\"}]}");
}

Test(citation, an_article_in_each_style)
{
    arena_enter(arena_new());
    json_t *one = article();
    says(CITATION_APA, one,
         "Lin, X., & van Beethoven, L., Jr. (2020). Seeing the unseen. Journal of Light, "
         "12(3), 100–112. https://doi.org/10.1/a_b");
    says(CITATION_IEEE, one,
         "X. Lin and L. van Beethoven Jr., “Seeing the unseen,” Journal of Light, vol. "
         "12, "
         "no. 3, pp. 100–112, June 2020, doi: 10.1/a_b.");
    says(CITATION_GBT7714, one,
         "LIN X, VAN BEETHOVEN L Jr. Seeing the unseen[J/OL]. Journal of Light, 2020, "
         "12(3): 100-112. DOI:10.1/a_b.");
    says(
        CITATION_ACM, one,
        "Xiao Lin and Ludwig van Beethoven Jr. 2020. Seeing the unseen. Journal of Light "
        "12, 3 (June 2020), 100–112. https://doi.org/10.1/a_b");
    says(CITATION_NATURE, one,
         "Lin, X. & van Beethoven, L., Jr. Seeing the unseen. Journal of Light 12, "
         "100–112 "
         "(2020).");
    says(CITATION_PLAIN, one,
         "Xiao Lin, Ludwig van Beethoven Jr. Seeing the unseen. Journal of Light 12(3): "
         "100–112, 2020. https://doi.org/10.1/a_b");
}

Test(citation, a_chapter_names_its_editors_behind_the_title)
{
    arena_enter(arena_new());
    json_t *one =
        work("{\"kind\":\"chapter\",\"title\":\"On maps\",\"venue\":\"A handbook\","
             "\"edition\":\"2\",\"pages\":\"7-9\",\"publisher\":\"Springer\","
             "\"place\":\"Berlin\",\"year\":2019,\"authors\":[" LIN
             "],\"editors\":[" BEETHOVEN "]}");
    says(CITATION_APA, one,
         "Lin, X. (2019). On maps. In L. van Beethoven Jr. (Ed.), A handbook (2nd ed., "
         "pp. 7–9). Springer.");
    says(CITATION_IEEE, one,
         "X. Lin, “On maps,” in A handbook, 2nd ed., L. van Beethoven Jr., Ed., Berlin: "
         "Springer, 2019, pp. 7–9.");
    says(CITATION_GBT7714, one,
         "LIN X. On maps[M]//VAN BEETHOVEN L Jr. A handbook. 2nd ed. Berlin: Springer, "
         "2019: 7-9.");
    says(CITATION_NATURE, one,
         "Lin, X. On maps. in A handbook (ed. van Beethoven, L., Jr.) 7–9 (Springer, "
         "Berlin, 2019).");
}

Test(citation, editors_stand_for_authors_of_a_book)
{
    arena_enter(arena_new());
    json_t *one =
        work("{\"kind\":\"book\",\"title\":\"A handbook\",\"publisher\":"
             "\"Springer\",\"year\":2019,\"authors\":[],\"editors\":[" LIN "," WHO "]}");
    says(CITATION_APA, one,
         "Lin, X., & World Health Organization (Eds.). (2019). A handbook. Springer.");
    says(CITATION_IEEE, one,
         "X. Lin and World Health Organization, Eds., A handbook. Springer, 2019.");
    says(CITATION_ACM, one,
         "Xiao Lin and World Health Organization (Eds.). 2019. A handbook. Springer.");
    json_array_clear(json_object_get(one, "editors"));
    says(CITATION_APA, one, "A handbook. (2019). Springer.");
}

Test(citation, chinese_works_have_chinese_terms_in_the_national_standard)
{
    arena_enter(arena_new());
    json_t *one = work("{\"kind\":\"article\",\"title\":\"图像研究\",\"venue\":"
                       "\"计算机学报\",\"year\":2021,"
                       "\"volume\":\"4\",\"authors\":[" OUYANG
                       ",{\"name\":\"林晓\"},{\"name\":\"王一\"},"
                       "{\"name\":\"李二\"}]}");
    says(CITATION_GBT7714, one,
         "欧阳博, 林晓, 王一, 等. 图像研究[J]. 计算机学报, 2021, 4.");
    says(CITATION_APA, one,
         "欧阳博, 林晓, 王一, & 李二. (2021). 图像研究. 计算机学报, 4.");
    json_object_set_new(one, "kind", json_string("book"));
    json_object_set_new(one, "edition", json_string("3"));
    says(CITATION_GBT7714, one, "欧阳博, 林晓, 王一, 等. 图像研究: 卷 4[M]. 3 版. 2021.");
}

Test(citation, the_national_standard_marks_each_kind)
{
    static const struct {
        const char *kind, *genre, *mark;
    } marks[] = {
        {"article",    NULL,           "[J]" },
        {"conference", NULL,           "[C]" },
        {"book",       NULL,           "[M]" },
        {"chapter",    NULL,           "[M]" },
        {"thesis",     NULL,           "[D]" },
        {"report",     NULL,           "[R]" },
        {"software",   NULL,           "[CP]"},
        {"dataset",    NULL,           "[DS]"},
        {"other",      "Patent",       "[P]" },
        {"other",      "国家标准", "[S]" },
        {"other",      NULL,           "[Z]" },
        {"preprint",   NULL,           "[EB]"},
    };
    arena_enter(arena_new());
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        json_t *one = json_pack("{s:s,s:s,s:s?}", "kind", marks[i].kind, "title", "T",
                                "genre", marks[i].genre);
        cr_expect_not_null(strstr(text_in(CITATION_GBT7714, one), marks[i].mark), "%s",
                           text_in(CITATION_GBT7714, one));
        json_object_set_new(one, "url", json_string("https://lab.example/"));
        cr_expect_not_null(strstr(text_in(CITATION_GBT7714, one), "/OL]"));
    }
}

static json_t *by(size_t count)
{
    json_t *authors = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(authors, json_pack("{s:o,s:s%,s:s}", "name",
                                                 json_sprintf("Ann %c", (int)('A' + i)),
                                                 "family", (char[]){(char)('A' + i)},
                                                 (size_t)1, "given", "Ann"));
    return json_pack("{s:s,s:s,s:o}", "kind", "other", "title", "T", "authors", authors);
}

Test(citation, long_lists_of_authors_end_as_each_style_says)
{
    arena_enter(arena_new());
    says(
        CITATION_APA, by(21),
        "A, A., B, A., C, A., D, A., E, A., F, A., G, A., H, A., I, A., J, A., K, A., L, "
        "A., M, A., N, A., O, A., P, A., Q, A., R, A., S, A., … U, A. (n.d.). T.");
    cr_expect_not_null(strstr(text_in(CITATION_APA, by(20)), "S, A., & T, A. (n.d.)"));
    says(CITATION_IEEE, by(7), "A. A et al., “T.”");
    cr_expect_null(strstr(text_in(CITATION_IEEE, by(6)), "et al."));
    says(CITATION_NATURE, by(6), "A, A. et al. T.");
    cr_expect_null(strstr(text_in(CITATION_NATURE, by(5)), "et al."));
    says(CITATION_GBT7714, by(4), "A A, B A, C A, et al. T[Z].");
    cr_expect_null(strstr(text_in(CITATION_GBT7714, by(3)), "et al."));
    says(CITATION_ACM, by(4), "Ann A, Ann B, Ann C, and Ann D. [n. d.]. T.");
}

Test(citation, initials)
{
    static const struct {
        const char *given, *initials;
    } names[] = {
        {"Jean-Pierre M.", "J.-P. M." },
        {"J.-P.M.",        "J.-P. M." },
        {"Tai-yi",         "T."       },
        {"Юрий",       "Ю."      },
        {"Peyton Z. Jr.",  "P. Z. Jr."},
        {"Robin\u00A0C.",  "R. C."    },
    };
    arena_enter(arena_new());
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *name = arena_print(arena_current(), "%s Abel", names[i].given);
        json_t *one = json_pack("{s:s,s:s,s:i,s:[{s:s,s:s,s:s}]}", "kind", "other",
                                "title", "T", "year", 2000, "authors", "name", name,
                                "family", "Abel", "given", names[i].given);
        says(CITATION_APA, one,
             arena_print(arena_current(), "Abel, %s (2000). T.", names[i].initials));
    }
}

Test(citation, a_name_that_was_typed_whole_is_taken_apart)
{
    arena_enter(arena_new());
    says(CITATION_APA,
         work("{\"kind\":\"other\",\"title\":\"T\",\"year\":2000,\"authors\":[{\"name\":"
              "\"Ludwig van Beethoven\"},{\"name\":\"The Ferry "
              "Group\"},{\"name\":\"林晓\"}]}"),
         "van Beethoven, L., The Ferry Group, & 林晓. (2000). T.");
}

Test(citation, a_group_that_was_typed_stays_whole)
{
    static const char *const groups[] = {"Australian Bureau of Statistics",
                                         "Canada Council for the Arts",
                                         "Oregon Youth Authority"};
    arena_enter(arena_new());
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
        says(CITATION_APA,
             json_pack("{s:s,s:s,s:i,s:[{s:s}]}", "kind", "other", "title", "T", "year",
                       2000, "authors", "name", groups[i]),
             arena_print(arena_current(), "%s. (2000). T.", groups[i]));
}

Test(citation, a_title_that_ends_a_sentence_has_no_second_stop)
{
    static const char *const titles[] = {"Why?", "Stop!", "The end."};
    arena_enter(arena_new());
    for (size_t i = 0; i < 3; i++)
        for (int style = 0; style < CITATION_STYLES; style++) {
            json_t *one = article();
            json_object_set_new(one, "title", json_string(titles[i]));
            const char *text = text_in((enum citation_style)style, one);
            const char *mark = strstr(text, titles[i]) + strlen(titles[i]);
            cr_expect(*mark != '.' && *mark != ',', "%s", text);
        }
    json_t *one = article();
    json_object_set_new(one, "title", json_string("What “light” is"));
    cr_expect_not_null(strstr(text_in(CITATION_IEEE, one), "“What ‘light’ is,”"));
}

Test(citation, the_html_escapes_everything_and_links_to_the_web_alone)
{
    arena_enter(arena_new());
    for (int style = 0; style < CITATION_STYLES; style++) {
        json_t *one = work(
            "{\"kind\":\"conference\",\"title\":\"<script>\\\"'&\\u0001\\u0003x\\u0004"
            "\",\"venue\":\"A < B_c*\",\"year\":2020,\"url\":\"javascript:alert(1)\","
            "\"authors\":[{\"name\":\"<b>Eve\"}],\"pages\":\"<i>\",\"identifiers\":["
            "{\"scheme\":\"doi\",\"value\":\"10.1/<a href='x'>\\\"\"}]}");
        struct buf html = buf_on(arena_current());
        citation_html(&html, (enum citation_style)style, one, ENGLISH);
        for (const char *at = strchr(html.data, '<'); at != NULL;
             at = strchr(at + 1, '<'))
            cr_expect(strncmp(at, "<i>", 3) == 0 || strncmp(at, "</i>", 4) == 0 ||
                          strncmp(at, "<a href=\"https://doi.org/10.1/%3C", 32) == 0 ||
                          strncmp(at, "</a>", 4) == 0,
                      "%s", at);
        cr_expect_null(strstr(html.data, "javascript"));
        cr_expect_null(strpbrk(html.data, "\1\2\3\4\5\6\7"));
    }
}

/* Whichever of its parts are missing, in every kind and style. */
Test(citation, missing_parts_leave_no_punctuation)
{
    static const char *const parts[] = {"authors", "editors", "venue",      "year",
                                        "volume",  "issue",   "pages",      "publisher",
                                        "place",   "edition", "identifiers"};
    static const char *const kinds[] = {"article", "conference", "book",     "chapter",
                                        "thesis",  "report",     "preprint", "software",
                                        "dataset", "other"};
    static const char *const wrong[] = {"..", ",,", " ,",  " .",  "()", "[]",
                                        "( ", " )", ":.",  ",.",  "::", ";;",
                                        "  ", "“”", ": ,", ". ,", ", ;"};
    struct arena *kept = arena_new(), *arena = arena_new();
    arena_enter(kept);
    json_t *whole = work(
        "{\"title\":\"T\",\"venue\":\"V\",\"year\":2020,\"volume\":\"4\",\"issue\":\"5\","
        "\"pages\":\"6\",\"publisher\":\"P\",\"place\":\"L\",\"edition\":\"2\","
        "\"authors\":"
        "[{\"name\":\"Who\"}],\"editors\":[{\"name\":\"Which\"}],\"identifiers\":[{"
        "\"scheme\":\"doi\",\"value\":\"10.1/x\"}]}");
    enum { PARTS = sizeof parts / sizeof parts[0] };
    for (size_t kind = 0; kind < 10; kind++)
        for (unsigned left = 0; left < 1u << PARTS; left++) {
            arena_enter(arena);
            json_t *one = json_copy(whole);
            json_object_set_new(one, "kind", json_string(kinds[kind]));
            for (unsigned i = 0; i < PARTS; i++)
                if ((left >> i & 1) == 0)
                    json_object_del(one, parts[i]);
            for (int style = 0; style < CITATION_STYLES; style++) {
                const char *text = text_in((enum citation_style)style, one);
                for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
                    cr_assert_null(strstr(text, wrong[i]), "\"%s\" in: %s", wrong[i],
                                   text);
                cr_assert(strchr(".,;: ", text[0]) == NULL, "%s", text);
                cr_assert_not_null(strstr(text, "T"));
            }
            arena_reset(arena);
        }
    arena_enter(kept);
    arena_free(arena);
}
