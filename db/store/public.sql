-- What a visitor's page may know. Every query here reads the public_* views alone; the
-- tables named in `reads` are those behind the views.

-- name: public_lab_row
-- reads: lab
-- kept: until a table changes
select name_en, name_zh, sentence_en, sentence_zh, about_en, about_zh, affiliation_en,
    affiliation_zh, address_en, address_zh, email
from public_lab

-- Who is here, by role and seniority, and then who has been, the latest first. Whoever has
-- no appointment is here; whoever is yet to come is in neither list.
-- name: public_people_rows
-- reads: person appointment lab
select p.slug, p.given_latin, p.family_latin, p.name_latin, p.name_han, p.photo, p.interests_en,
    p.interests_zh, coalesce(p.role, 'member') as role, p.title_en, p.title_zh,
    not (p.current or p.role is null) as alumnus, t.from_year, t.to_year
from public_person p
left join lateral (
    select extract(year from min(starts))::int as from_year,
        extract(year from max(ends))::int as to_year
    from public_appointment where person_id = p.id) t on true
where p.current or p.role is null or p.ends < lab_today()
order by alumnus,
    case when p.current or p.role is null then array_position(array['faculty', 'postdoc',
        'phd', 'master', 'undergraduate', 'visitor', 'staff', 'member'],
        coalesce(p.role, 'member')) end,
    case when not p.current then p.ends end desc nulls last,
    p.starts nulls last, p.name_latin nulls last, p.name_han, p.id
limit 2000

-- name: public_person_row
-- reads: person appointment person_link lab
select p.slug, p.given_latin, p.family_latin, p.name_latin, p.name_han, p.photo, p.interests_en,
    p.interests_zh, p.biography_en, p.biography_zh, p.email, p.phone, p.office, p.orcid,
    p.role, p.title_en, p.title_zh, coalesce(p.ends < lab_today(), false) as alumnus,
    coalesce((
        select json_agg(json_build_object('role', a.role, 'title_en', a.title_en,
            'title_zh', a.title_zh, 'from_year', extract(year from a.starts)::int,
            'to_year', extract(year from a.ends)::int)
            order by a.starts desc nulls last, a.position)
        from public_appointment a where a.person_id = p.id), '[]') as appointments,
    coalesce((
        select json_agg(json_build_object('label', l.label, 'url', l.url)
            order by l.position)
        from public_person_link l where l.person_id = p.id), '[]') as links
from public_person p
where p.slug = $1

-- A page of works, newest first. Each of the four parts of `hit` is for one way of asking,
-- walks the index made for it, and is not run at all for the others: these plans hold for any
-- parameters, since a prepared query is planned once. `issued + 0` keeps the index on issued
-- out of where it would only be read to be thrown away; `offset 0` has a person's works
-- fetched one by one.
-- $1 kind, $2 person's slug, $3 the longest word as a LIKE pattern, $4 all words as a JSON
-- list of patterns; each null for any. $5 <= issued < $6. $7, $8: issued and id of the work
-- before the page. $9: how far to count, $10: how many to show.
-- name: public_works_rows
-- reads: publication authorship person publication_link publication_file lab
with theirs as materialized (
    select distinct publication_id as id from public_authorship where person_slug = $2::text
), hit as materialized (
    (select p.id, p.issued from public_publication p
    where $1::text is null and $2::text is null and $3::text is null
        and p.issued >= $5::int and p.issued < $6::int
        and (p.issued, p.id) < ($7::int, $8::bigint)
    order by p.issued desc, p.id desc limit $9::int)
    union all
    (select p.id, p.issued from public_publication p
    where p.kind = $1::text and $2::text is null and $3::text is null
        and p.issued >= $5::int and p.issued < $6::int
        and (p.issued, p.id) < ($7::int, $8::bigint)
    order by p.issued desc, p.id desc limit $9::int)
    union all
    (select p.id, p.issued
    from theirs cross join lateral (
        select id, kind, issued, search from public_publication where id = theirs.id offset 0) p
    where $2::text is not null
        and ($1::text is null or p.kind = $1::text)
        and ($3::text is null or p.search like all (
            array(select jsonb_array_elements_text($4::jsonb))))
        and p.issued >= $5::int and p.issued < $6::int
        and (p.issued, p.id) < ($7::int, $8::bigint)
    order by p.issued desc, p.id desc limit $9::int)
    union all
    (select p.id, p.issued from public_publication p
    where $2::text is null and $3::text is not null and p.search like $3::text
        and p.search like all (array(select jsonb_array_elements_text($4::jsonb)))
        and ($1::text is null or p.kind = $1::text)
        and p.issued + 0 >= $5::int and p.issued + 0 < $6::int
        and (p.issued + 0, p.id) < ($7::int, $8::bigint)
    order by p.issued desc, p.id desc limit $9::int)
), shown as materialized (
    select id from hit order by issued desc, id desc limit $10::int
)
select p.id, p.issued, p.slug, p.kind, p.title, coalesce(p.venue, p.publisher) as venue,
    p.year, case when length(p.note) <= 60 then p.note end as note,
    (select count(*) from hit)::int as found,
    (select count(*) from public_authorship where publication_id = p.id)::int as author_count,
    coalesce((
        select json_agg(json_build_object('name', a.name, 'person_slug', a.person_slug,
            'equal', a.equal) order by a.position)
        from (select * from public_authorship where publication_id = p.id
            order by position limit 12) a), '[]') as authors,
    coalesce((
        select json_agg(json_build_object('kind', l.kind, 'url', l.url) order by l.position)
        from public_publication_link l where l.publication_id = p.id), '[]') as links
from shown join public_publication p on p.id = shown.id
order by p.issued desc, p.id desc

-- What there is to choose from. Years and kinds are found by leaping over the index, so
-- that a million works cost what a hundred do.
-- name: public_work_choices
-- reads: publication authorship person appointment lab
-- kept: until a table changes
with recursive years as (
    (select issued / 10000 as year from public_publication order by issued desc limit 1)
    union all
    select (select p.issued / 10000 from public_publication p
        where p.issued < years.year * 10000 order by p.issued desc limit 1)
    from years where years.year is not null
)
select
    (select coalesce(json_agg(year order by year desc), '[]') from years where year > 0)
        as years,
    (select coalesce(json_agg(kind), '[]') from unnest(array['article', 'conference', 'book',
        'chapter', 'thesis', 'report', 'preprint', 'software', 'dataset', 'other']) kind
    where exists (select from public_publication p where p.kind = kind.kind)) as kinds,
    (select coalesce(json_agg(json_build_object('slug', p.slug, 'name_latin', p.name_latin,
        'name_han', p.name_han) order by p.family_latin, p.given_latin, p.name_han), '[]')
    from public_person p
    where exists (select from public_authorship a where a.person_id = p.id)) as people

-- name: public_work_row
-- reads: publication authorship person publication_identifier publication_link
-- reads: publication_file lab
select p.slug, p.kind, p.title, p.venue, p.year, p.month, p.day, p.volume, p.issue, p.pages,
    p.publisher, p.abstract, p.note, p.url, p.bibtex_key, p.bibtex_type,
    coalesce((
        select json_agg(json_build_object('name', a.name, 'family', a.family, 'given', a.given,
            'person_slug', a.person_slug, 'equal', a.equal, 'corresponding', a.corresponding)
            order by a.position)
        from public_authorship a where a.publication_id = p.id), '[]') as authors,
    coalesce((
        select json_agg(json_build_object('scheme', i.scheme, 'value', i.value)
            order by i.position)
        from public_identifier i where i.publication_id = p.id), '[]') as identifiers,
    coalesce((
        select json_agg(json_build_object('kind', l.kind, 'url', l.url) order by l.position)
        from public_publication_link l where l.publication_id = p.id), '[]') as links
from public_publication p
where p.slug = $1

-- What a BibTeX file of the works is made from; $1 to $3 as $1, $2, $4 of
-- public_works_rows, $4 <= issued < $5, $6 at most.
-- name: public_work_entries_rows
-- reads: publication authorship person publication_identifier
select p.slug, p.kind, p.title, p.venue, p.year, p.month, p.day, p.volume, p.issue, p.pages,
    p.publisher, p.note, p.url, p.bibtex_key, p.bibtex_type,
    coalesce((
        select json_agg(json_build_object('name', a.name, 'family', a.family,
            'given', a.given) order by a.position)
        from public_authorship a where a.publication_id = p.id), '[]') as authors,
    coalesce((
        select json_agg(json_build_object('scheme', i.scheme, 'value', i.value)
            order by i.position)
        from public_identifier i where i.publication_id = p.id), '[]') as identifiers
from public_publication p
where ($1::text is null or p.kind = $1::text)
    and ($2::text is null or p.id in (
        select publication_id from public_authorship where person_slug = $2::text))
    and ($3::text is null or p.search like all (
        array(select jsonb_array_elements_text($3::jsonb))))
    and p.issued >= $4::int and p.issued < $5::int
order by p.issued desc, p.id desc
limit $6::int
