# Turns blocks of SQL into C. Each block of db/store/*.sql opens with
#
#   -- name: person_by_slug
#   -- reads: person appointment        tables whose rows it reads, through views too
#   -- writes: person                   tables whose rows it changes
#   -- kept: until a table changes      one without parameters, see db/kept.h
#
# (reads and writes may be left out when empty) and runs to the next block or the end.
# Usage:  awk -v out=header FILE.sql   declarations of one file
#         awk -v out=source FILE.sql   their definitions
#         awk -v out=tables FILES...   enum table, one bit position a table
#         awk -v out=index  FILES...   the array of all queries

function flush_block(   text, params, rest, number) {
    if (name == "") return
    text = sql; sub(/[ \n;]+$/, "", text); sub(/^[ \n]+/, "", text)
    params = 0; rest = text
    while (match(rest, /\$[0-9]+/)) {
        number = substr(rest, RSTART + 1, RLENGTH - 1) + 0
        if (number > params) params = number
        rest = substr(rest, RSTART + RLENGTH)
    }
    gsub(/\\/, "\\\\\\\\", text); gsub(/"/, "\\\"", text); gsub(/\n/, "\\n\"\n    \"", text)
    if (out == "header") print "extern const struct query " name ";"
    if (out == "source")
        printf "const struct query %s = {\n    \"%s\",\n    \"%s\",\n    %d, %s, %s, %d};\n\n", \
            name, name, text, params, (reads == "" ? "0" : reads), \
            (writes == "" ? "0" : writes), kept
    if (kept && params > 0) { print name ": kept, yet it has parameters" > "/dev/stderr"; exit 1 }
    if (out == "index") { print "extern const struct query " name ";"; all = all "    &" name ",\n" }
    name = ""
}
function bits(line,   words, n, i, result) {
    sub(/^-- [a-z]+:/, "", line); n = split(line, words, /[ ,]+/); result = ""
    for (i = 1; i <= n; i++) if (words[i] != "") {
        tables[words[i]] = 1
        result = result (result == "" ? "" : " | ") "TABLE_BIT(TABLE_" toupper(words[i]) ")"
    }
    return result
}
BEGIN {
    print "/* Made by db/sql.awk; do not edit. */"
    if (out == "tables") print "#ifndef LABD_TABLES_H\n#define LABD_TABLES_H\n"
    if (out == "header") print "#include \"db/query.h\"\n"
    if (out == "source") {
        print "#include \"db/query.h\"\n#include \"tables.h\"\n"
        print "/* A query may be longer than what every compiler has to take. */"
        print "#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n"
    }
    if (out == "index") print "#include \"db/query.h\"\n\n#include <stddef.h>\n"
}
/^-- name:/ { flush_block(); name = $3; sql = ""; reads = ""; writes = ""; kept = 0; next }
/^-- reads:/ { reads = reads (reads == "" ? "" : " | ") bits($0); next }
/^-- writes:/ { writes = writes (writes == "" ? "" : " | ") bits($0); next }
/^-- kept:/ { kept = 1; next }
/^[ \t]*--/ { next }
{ sql = sql "\n" $0 }
END {
    flush_block()
    if (out == "index") print "\nconst struct query *const all_queries[] = {\n" all "    NULL};"
    if (out == "tables") {
        n = 0; for (t in tables) sorted[++n] = t
        for (i = 2; i <= n; i++) for (j = i; j > 1 && sorted[j - 1] > sorted[j]; j--) {
            t = sorted[j]; sorted[j] = sorted[j - 1]; sorted[j - 1] = t }
        print "enum table {"
        for (i = 1; i <= n; i++) print "    TABLE_" toupper(sorted[i]) ","
        print "    TABLE_COUNT\n};\n"
        print "static const char *const table_names[] __attribute__((unused)) = {"
        for (i = 1; i <= n; i++) print "    \"" sorted[i] "\","
        print "    0 /* the end */};\n\n_Static_assert(TABLE_COUNT <= 64, \"a table has no bit left\");\n\n#endif"
    }
}
