"""What comparers share: running labd, reading the corpus, writing values alike."""
import collections
import json
import os
import re
import subprocess
import unicodedata

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
CORPUS = os.environ.get("LABD_CORPUS", os.path.join(ROOT, "../shared/corpus"))
LABD = os.environ.get("LABD_PROGRAM", os.path.join(ROOT, "build/labd"))

# What a comparer yields: strings or None; equal ones agree.
Comparison = collections.namedtuple("Comparison", "case field ours theirs")


def path(*parts):
    return os.path.join(CORPUS, *parts)


def files(folder, ending):
    return sorted(name for name in os.listdir(path(folder)) if name.endswith(ending))


def text(*parts):
    with open(path(*parts), encoding="utf-8") as file:
        return file.read()


def convert(*names, source=None):
    """What labd makes of files, or of a text: the entries."""
    command = [LABD, "convert", *(names or ["-"]), "--to=json"]
    data = source.encode() if isinstance(source, str) else source
    done = subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)["entries"]


def works(*names, source=None):
    """Those that became works, by key; the first of a key counts."""
    found = {}
    for entry in convert(*names, source=source):
        if entry["document"] is not None:
            found.setdefault(entry["key"], entry["document"])
    return found


def latex(values):
    """Each LaTeX text as labd reads one, braces balanced or not."""
    values = list(values)
    source = "".join("@misc{k%d, title={%s}}\n" % (i, v) for i, v in enumerate(values)
                     if balanced(v) and v)
    found = works(source=source)
    return [found[f"k{i}"]["title"] or "" if f"k{i}" in found else v
            for i, v in enumerate(values)]


def balanced(value):
    depth = 0
    for c in value:
        depth += (c == "{") - (c == "}")
        if depth < 0:
            return False
    return depth == 0


def plain(value):
    """Text without what is a matter of form alone: markup of HTML, kinds of dashes and
    quotes, white space."""
    if value is None:
        return None
    value = re.sub(r"</?(i|b|em|strong|sup|sub|sc|span|pre|script|u)\b[^>]*>", "", str(value))
    value = unicodedata.normalize("NFKC", value)
    value = re.sub("[‐‑‒–—−-]+", "-", value)
    value = re.sub("[“”„«»″]|``|''", '"', value)
    value = re.sub("[‘’ʼ`′]", "'", value)
    return re.sub(r"\s+", " ", value).strip() or None
