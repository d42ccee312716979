"""Every cell of a workbook as JSON, read by openpyxl: {page: {rows, frozen, formats}}.

A text is a string, a number a number; {"formula": ...} would be a cell that runs. The
escapes of ECMA-376's ST_Xstring are undone, as Excel does.
"""
import json
import sys

import openpyxl
from openpyxl.utils.escape import unescape


def value(cell):
    if cell.data_type == "f":
        return {"formula": cell.value}
    return unescape(cell.value) if isinstance(cell.value, str) else cell.value


book = openpyxl.load_workbook(sys.argv[1])
pages = {
    page.title: {
        "rows": [[value(cell) for cell in row] for row in page.iter_rows()],
        "frozen": page.freeze_panes,
        "formats": sorted({cell.number_format for row in page.iter_rows() for cell in row
                           if isinstance(cell.value, str)}),
    }
    for page in book.worksheets
}
json.dump(pages, sys.stdout)
