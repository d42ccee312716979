"""Seconds of processor time in which a library parses a BibTeX file, and the entries found:
    parse.py pybtex|bibtexparser FILE
"""
import json
import sys
import time

library, path = sys.argv[1:]
text = open(path, encoding="utf-8").read()
if library == "pybtex":
    from pybtex.database import parse_string
    parse = lambda: len(parse_string(text, "bibtex").entries)
else:
    import bibtexparser
    from bibtexparser.bparser import BibTexParser
    parser = BibTexParser(common_strings=True)
    parse = lambda: len(bibtexparser.loads(text, parser).entries)
before = time.process_time()
entries = parse()
print(json.dumps({"seconds": time.process_time() - before, "entries": entries}))
