-- $1 keys as a JSON list; those that more than one work has, in small letters (BibTeX does
-- not tell Li24 from li24).
-- name: public_key_shared
-- reads: publication
select coalesce(json_agg(key), '[]') as keys from (
    select lower(bibtex_key) as key from public_publication
    where lower(bibtex_key) in (select lower(jsonb_array_elements_text($1::jsonb)))
    group by 1 having count(*) > 1) k
