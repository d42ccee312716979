-- Works that share a key get another one each in files (BibTeX does not tell Li24 from li24).
create index on publication (lower(bibtex_key)) where bibtex_key is not null;
