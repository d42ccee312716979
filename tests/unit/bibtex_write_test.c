/* The BibTeX writer, and that our own parser reads what it wrote. */
#include "server/text/bibtex.h"
#include "server/text/bibtex_write.h"

#include <criterion/criterion.h>

static const char *written(const char *work)
{
    static struct arena *arena;
    if (arena == NULL)
        arena_enter(arena = arena_new());
    struct buf out = buf_on(arena);
    json_error_t error;
    json_t *document = json_loads(work, 0, &error);
    cr_assert_not_null(document, "%s", error.text);
    bibtex_write(&out, document);
    return out.data;
}

Test(bibtex_write, a_paper_becomes_an_entry_of_its_type)
{
    cr_assert_str_eq(
        written(
            "{\"slug\": \"ferry-2026\", \"kind\": \"conference\", \"title\": \"Ferry: "
            "Moving FPGA-Resident Pages\", \"authors\": [{\"name\": \"Xiao Lin\", "
            "\"family\": \"Lin\", \"given\": \"Xiao\"}, {\"name\": \"欧阳博\", "
            "\"family\": \"欧阳\", \"given\": \"博\"}, {\"name\": \"The Ferry and Barge "
            "Group\", \"family\": null, \"given\": null}], \"venue\": \"OSDI\", "
            "\"year\": 2026, \"month\": 11, \"pages\": \"1–18\", \"identifiers\": "
            "[{\"scheme\": \"doi\", \"value\": \"10.1145/1_2\"}, {\"scheme\": "
            "\"arxiv\", \"value\": \"2611.00001\"}], \"note\": null}"),
        "@inproceedings{ferry-2026,\n"
        "  author = {Lin, Xiao and 欧阳, 博 and {The Ferry and Barge Group}},\n"
        "  title = {Ferry: Moving {FPGA-Resident} Pages},\n"
        "  booktitle = {OSDI},\n"
        "  year = {2026},\n"
        "  month = nov,\n"
        "  pages = {1--18},\n"
        "  doi = {10.1145/1_2},\n"
        "  eprint = {2611.00001},\n"
        "  eprinttype = {arxiv},\n"
        "  archiveprefix = {arXiv}\n"
        "}\n");
}

Test(bibtex_write, special_characters_are_escaped_and_braces_balance)
{
    cr_assert_str_eq(
        written("{\"slug\": \"x\", \"kind\": \"article\", \"title\": \"100% of $5 & #1_a "
                "{b\", \"venue\": \"a}b\\\\c~d^e\\nf\", \"url\": "
                "\"https://a.example/%7e_{x}\"}"),
        "@article{x,\n"
        "  title = {100\\% of \\$5 \\& \\#1\\_a \\textbraceleft{}b},\n"
        "  journal = {a\\textbraceright{}b\\textbackslash{}c\\textasciitilde{}d"
        "\\textasciicircum{}e f},\n"
        "  url = {https://a.example/%7e_%7Bx%7D}\n"
        "}\n");
}

Test(bibtex_write, a_key_with_syntax_in_it_gives_way_to_the_slug)
{
    cr_assert_eq(strncmp(written("{\"slug\": \"s\", \"kind\": \"other\", \"bibtex_key\": "
                                 "\"a},b\"}"),
                         "@misc{s", 7),
                 0);
    cr_assert_eq(
        strncmp(written("{\"slug\": \"s\", \"kind\": \"thesis\", \"bibtex_key\": "
                        "\"DBLP:conf/x/Y24\", \"bibtex_type\": \"MastersThesis\"}"),
                "@mastersthesis{DBLP:conf/x/Y24", 30),
        0);
}

Test(bibtex_write, our_parser_reads_any_text_back_as_one_entry)
{
    static const char *const titles[] = {"}", "{{{",       "a\\\\", "\\\"@article{x,",
                                         "%", "林, and 晓"};
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++) {
        char work[512];
        snprintf(work, sizeof work,
                 "{\"slug\": \"s\", \"kind\": \"article\", \"title\": \"%s\", \"note\": "
                 "\"%s\", \"url\": \"%s\", \"authors\": [{\"name\": \"%s\"}], \"year\": "
                 "2024}",
                 titles[i], titles[i], titles[i], titles[i]);
        const char *text = written(work);
        struct bibtex *parser;
        struct bibtex_entry entry;
        struct slice slice = {text, strlen(text)};
        cr_assert_eq(bibtex_open(&parser, arena_current(), slice, &bibtex_paste_limits),
                     OK);
        cr_assert_eq(bibtex_next(&entry, parser), OK);
        cr_assert_eq(entry.refused, BIBTEX_SOUND, "%s", text);
        cr_assert_eq(entry.remark_count, 0, "%s", text);
        cr_assert_eq(entry.field_count, 5, "%s", text);
        cr_assert_eq(bibtex_next(&entry, parser), NOT_FOUND, "%s", text);
    }
}
