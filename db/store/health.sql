-- What lacks or looks wrong, newest works first: [{check, found (5,000 at most are counted),
-- rows: [{slug, title, year, detail}]}]. $1: this check alone, null for all. $2: rows of each.
-- name: health_works
-- reads: publication publication_identifier authorship
with found as (
    (select 'year' as name, id, slug, title, year, issued, null as detail from publication
    where merged_into is null and year is null and coalesce($1, 'year') = 'year' limit 5000)
    union all
    (select 'venue', id, slug, title, year, issued, null from publication
    where merged_into is null and venue is null and coalesce($1, 'venue') = 'venue'
        and kind in ('article', 'conference', 'chapter')
    order by issued desc limit 5000)
    union all
    (select 'identifier', id, slug, title, year, issued, venue from publication w
    where merged_into is null and kind in ('article', 'conference', 'preprint')
        and coalesce($1, 'identifier') = 'identifier'
        and not exists (select from publication_identifier i where i.publication_id = w.id)
    order by issued desc limit 5000)
    union all
    (select 'authors', id, slug, title, year, issued, venue from publication w
    where merged_into is null and kind not in ('software', 'dataset', 'other')
        and coalesce(json_array_length(editors), 0) = 0
        and coalesce($1, 'authors') = 'authors'
        and not exists (select from authorship a where a.publication_id = w.id)
    order by issued desc limit 5000)
    union all
    -- All in capitals, or without one; what BibTeX and HTML leave behind.
    (select 'title', id, slug, title, year, issued, venue from publication
    where merged_into is null and coalesce($1, 'title') = 'title'
        and (title ~ '[{}\\]|<[a-z/]+>|&[a-z]+;|\.\s*$'
            or (title = upper(title) and title ~ '[[:upper:]]{4}.* .*[[:upper:]]{4}')
            or (title = lower(title) and title ~ '[[:lower:]]{2} +[[:lower:]]'
                and kind not in ('software', 'dataset'))) -- names of programs are small
    order by issued desc limit 5000)
)
select name as check, count(*)::int as found, json_agg(json_build_object('slug', slug,
    'title', title, 'year', year, 'detail', detail) order by issued desc, id desc)
    filter (where place <= $2::int) as rows
from (select *, row_number() over (partition by name order by issued desc, id desc) as place
    from found) numbered
group by name

-- Whoever is here and has no work: [{slug, name_latin, name_han}].
-- name: health_people
-- reads: person authorship appointment lab
select p.slug, p.name_latin, p.name_han from person p
where not exists (select from authorship a where a.person_id = p.id)
    and exists (select from appointment a where a.person_id = p.id
        and a.role in ('faculty', 'postdoc', 'phd', 'master')
        and (a.starts is null or a.starts <= lab_today())
        and (a.ends is null or a.ends >= lab_today()))
order by p.family_latin, p.given_latin, p.name_han limit 500

-- Names on works that are those of somebody here, who is not linked: [{name, count of works, slug (of
-- the newest), people: how many have that name}].
-- name: health_names
-- reads: publication authorship person_alias
select min(a.name) as name, count(distinct a.publication_id)::int as count,
    (array_agg(w.slug order by w.issued desc, w.id desc))[1] as slug,
    (select count(*) from person_alias n where n.folded = a.folded)::int as people
from authorship a join publication w on w.id = a.publication_id and w.merged_into is null
where a.person_id is null and a.folded in (select folded from person_alias)
group by a.folded order by count desc, name limit 500
