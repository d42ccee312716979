/* libFuzzer: any bytes decoded and read as each of the tagged formats (RIS and .ciw,
 * EndNote and NoteExpress, MEDLINE), and as a list of identifiers. */
#include "tests/fuzz/readers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct bibliography_reader *const readers[] = {
        &ris_reader, &endnote_reader, &nbib_reader, &identifiers_reader};
    for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++)
        read_all(readers[i], data, size);
    return 0;
}
