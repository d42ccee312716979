/* libFuzzer: any bytes decoded and read as CSL-JSON. */
#include "tests/fuzz/readers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_all(&csl_reader, data, size);
    return 0;
}
