-- By what a work is found that may be the one that a document speaks of: hashes of its
-- title and first author, as same_work_keys() makes them. Null: still to be computed, which
-- publication_match_many() does first of all.
alter table publication add column match_keys bigint[];
-- Each import asks as often as it writes; a pending list would be read each time.
create index publication_match_keys on publication using gin (match_keys)
    with (fastupdate = off);
create index publication_without_keys on publication (id) where match_keys is null;
