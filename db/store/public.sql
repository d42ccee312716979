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

-- A page of works in the order of the list. Each part of `hit` is for one way of asking ($1),
-- walks the index made for it, and is not run at all for the others: these plans hold for any
-- parameters, since a prepared query is planned once. `listed + 0` keeps the index on listed
-- out of where it would only be read to be thrown away; `offset 0` has the works of a person
-- fetched one by one.
-- $1 way: "all", "kind", "venue", "few" (of a person or topic, or selected), "text" (by the
-- index of words, which takes all that have the word) or "walk" (the first 3,000 works are
-- looked through: enough for a common word; `open`: there may be more than were found).
-- $2 kind, $3 person's, $4 topic's, $5 project's, $6 venue's slug, $7 selected, $8 the longest
-- word as a LIKE pattern, $9 all words as a JSON list of patterns; each null for any.
-- $10 <= listed < $11. $12 id of the work before the page. $13: how far to count, $14: how
-- many to show.
-- name: public_works_rows
-- reads: publication authorship person publication_link publication_file publication_topic topic
-- reads: publication_identifier venue venue_alias lab
with few as materialized (
    select publication_id as id from public_authorship
    where $1::text = 'few' and person_slug = $3::text
    union
    select publication_id from public_publication_topic
    where $1::text = 'few' and $3::text is null and slug = coalesce($4::text, $5::text)
    union
    select id from public_publication
    where $1::text = 'few' and coalesce($3::text, $4::text, $5::text) is null and selected
), mark as materialized (
    select greatest($10::bigint, max(listed)) as listed,
        coalesce(max(title_start), '') as title_start
    from public_publication where id = $12::bigint
), walked as materialized (
    select p.id, p.listed, p.title_start, p.kind, p.venue_key, p.search
    from public_publication p
    where $1::text = 'walk' and p.listed < $11::bigint
        and (p.listed, p.title_start, p.id) > ((select listed from mark),
            (select title_start from mark), $12::bigint)
    order by p.listed, p.title_start, p.id limit 3000
), hit as materialized (
    (select p.id, p.listed, p.title_start from public_publication p
    where $1::text = 'all' and p.listed < $11::bigint
        and (p.listed, p.title_start, p.id) > ((select listed from mark),
            (select title_start from mark), $12::bigint)
    order by p.listed, p.title_start, p.id limit $13::int)
    union all
    (select p.id, p.listed, p.title_start from public_publication p
    where $1::text = 'kind' and p.kind = $2::text
        and p.listed < $11::bigint
        and (p.listed, p.title_start, p.id) > ((select listed from mark),
            (select title_start from mark), $12::bigint)
    order by p.listed, p.title_start, p.id limit $13::int)
    union all
    (select p.id, p.listed, p.title_start from public_venue_alias a cross join lateral (
        select id, listed, title_start from public_publication w
        where w.venue_key = a.key and ($2::text is null or w.kind = $2::text)
            and ($7::boolean is null or w.selected)
            and w.listed < $11::bigint
            and (w.listed, w.title_start, w.id) > ((select listed from mark),
            (select title_start from mark), $12::bigint)
        order by w.listed, w.title_start, w.id limit $13::int) p
    where $1::text = 'venue' and a.slug = $6::text
    order by p.listed, p.title_start, p.id limit $13::int)
    union all
    (select p.id, p.listed, p.title_start
    from few cross join lateral (
        select id, kind, listed, title_start, search, selected, venue_key
        from public_publication where id = few.id offset 0) p
    where $1::text = 'few'
        and ($2::text is null or p.kind = $2::text)
        and ($4::text is null or exists (select from public_publication_topic t
            where t.publication_id = p.id and t.slug = $4::text))
        and ($5::text is null or exists (select from public_publication_topic t
            where t.publication_id = p.id and t.slug = $5::text))
        and ($6::text is null or exists (select from public_venue_alias a
            where a.key = p.venue_key and a.slug = $6::text))
        and ($7::boolean is null or p.selected)
        and ($9::text is null or p.search like all (
            array(select jsonb_array_elements_text($9::jsonb))))
        and p.listed < $11::bigint
        and (p.listed, p.title_start, p.id) > ((select listed from mark),
            (select title_start from mark), $12::bigint)
    order by p.listed, p.title_start, p.id limit $13::int)
    union all
    (select p.id, p.listed, p.title_start from public_publication p
    where $1::text = 'text' and p.search like $8::text
        and p.search like all (array(select jsonb_array_elements_text($9::jsonb)))
        and ($2::text is null or p.kind = $2::text)
        and ($6::text is null or exists (select from public_venue_alias a
            where a.key = p.venue_key and a.slug = $6::text))
        and p.listed + 0 < $11::bigint
        and (p.listed + 0, p.title_start, p.id) > ((select listed from mark),
            (select title_start from mark), $12::bigint)
    order by p.listed, p.title_start, p.id limit $13::int)
    union all
    (select p.id, p.listed, p.title_start from walked p
    where p.search like all (array(select jsonb_array_elements_text($9::jsonb)))
        and ($2::text is null or p.kind = $2::text)
        and ($6::text is null or exists (select from public_venue_alias a
            where a.key = p.venue_key and a.slug = $6::text))
    order by p.listed, p.title_start, p.id limit $13::int)
), shown as materialized (
    select id, (select count(*) from hit)::int as found,
        (select count(*) from walked) = 3000 as open from hit
    order by listed, title_start, id limit $14::int
)
select p.id, p.slug, p.kind, p.title, coalesce(p.venue, p.publisher) as venue,
    v.short_name as venue_short, v.rank, p.year, p.award, p.selected,
    case when length(p.note) <= 60 then p.note end as note, shown.found, shown.open,
    (select count(*) from public_authorship where publication_id = p.id)::int as author_count,
    coalesce((
        select json_agg(json_build_object('name', a.name, 'person_slug', a.person_slug,
            'equal', a.equal, 'corresponding', a.corresponding) order by a.position)
        from (select * from public_authorship where publication_id = p.id
            order by position limit 12) a), '[]') as authors,
    (select json_agg(json_build_object('name', coalesce(e ->> 'name', '')))
        from json_array_elements(p.editors) e) as editors,
    coalesce((
        select json_agg(json_build_object('kind', l.kind, 'url', l.url) order by l.position)
        from public_publication_link l where l.publication_id = p.id), '[]') as links,
    (select json_object_agg(i.scheme, i.value) from public_identifier i
        where i.publication_id = p.id and i.scheme in ('doi', 'arxiv')) as identifiers,
    coalesce((
        select json_agg(json_build_object('slug', t.slug, 'kind', t.kind, 'name_en', t.name_en,
            'name_zh', t.name_zh) order by t.position)
        from public_publication_topic t where t.publication_id = p.id), '[]') as topics
from shown join public_publication p on p.id = shown.id
left join public_venue_alias v on v.key = p.venue_key
order by p.listed, p.title_start, p.id

-- What there is to choose from. Years and kinds are found by leaping over the index, so
-- that a million works cost what a hundred do.
-- name: public_work_choices
-- reads: publication authorship person appointment lab topic publication_topic venue venue_alias
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
    where exists (select from public_authorship a where a.person_id = p.id)) as people,
    (select coalesce(json_agg(json_build_object('slug', t.slug, 'kind', t.kind, 'name_en',
        t.name_en, 'name_zh', t.name_zh) order by t.position, t.name_en), '[]')
    from public_topic t
    where exists (select from public_publication_topic x where x.slug = t.slug)) as topics,
    (select coalesce(json_agg(json_build_object('slug', v.slug, 'name', v.name, 'short_name',
        v.short_name, 'rank', v.rank) order by coalesce(v.short_name, v.name), v.name), '[]')
    from public_venue v
    where exists (select from public_venue_alias a
        where a.venue_id = v.id and exists (
            select from public_publication p where p.venue_key = a.key))) as venues,
    exists (select from public_publication p where p.selected) as selected

-- Works by year and kind: [{year, kind, count}].
-- name: public_work_counts
-- reads: publication
-- kept: until a table changes
select year, kind, count(*)::int as count from public_publication
where year is not null group by year, kind order by year, kind

-- name: public_work_row
-- reads: publication authorship person publication_identifier publication_link
-- reads: publication_file publication_topic topic lab
select p.slug, p.kind, p.title, p.venue, p.year, p.month, p.day, p.volume, p.issue, p.pages,
    p.publisher, p.abstract, p.note, p.url, p.bibtex_key, p.bibtex_type, p.bibtex_shown,
    coalesce(p.editors, '[]') as editors, p.series, p.number, p.edition, p.place, p.genre,
    p.language, p.award, p.selected, p.updated_at,
    coalesce((
        select json_agg(json_build_object('slug', t.slug, 'kind', t.kind, 'name_en', t.name_en,
            'name_zh', t.name_zh) order by t.position)
        from public_publication_topic t where t.publication_id = p.id), '[]') as topics,
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

-- Whole works for files, in the order of the list; $1 to $10 are kind, person, topic, project,
-- venue, selected, words, from, beyond and id of the work before as $2 to $12 of
-- public_works_rows; $11 slugs as a JSON list, null for any; $12 at most.
-- name: public_work_entries_rows
-- reads: publication authorship person publication_identifier publication_link publication_file
-- reads: publication_topic topic venue venue_alias lab
select p.id, p.slug, p.kind, p.title,
    coalesce((
        select json_agg(json_build_object('name', a.name, 'family', a.family,
            'given', a.given, 'person', a.person_slug, 'equal', a.equal,
            'corresponding', a.corresponding) order by a.position)
        from public_authorship a where a.publication_id = p.id), '[]') as authors,
    coalesce(p.editors, '[]') as editors, p.venue, p.series, p.volume, p.issue, p.number,
    p.pages, p.edition, p.publisher, p.place, p.genre, p.year, p.month, p.day, p.language,
    p.abstract, p.note, p.award, p.selected,
    coalesce((
        select json_agg(json_build_object('topic', t.slug) order by t.position)
        from public_publication_topic t where t.publication_id = p.id), '[]') as topics,
    p.url,
    coalesce((
        select json_agg(json_build_object('scheme', i.scheme, 'value', i.value)
            order by i.position)
        from public_identifier i where i.publication_id = p.id), '[]') as identifiers,
    coalesce((
        select json_agg(json_build_object('kind', l.kind, 'url', l.url) order by l.position)
        from public_publication_link l where l.publication_id = p.id), '[]') as links,
    p.bibtex_key, p.bibtex_type, p.bibtex_shown, p.updated_at
from public_publication p
where ($1::text is null or p.kind = $1::text)
    and ($2::text is null or p.id in (
        select publication_id from public_authorship where person_slug = $2::text))
    and ($3::text is null or p.id in (
        select publication_id from public_publication_topic where slug = $3::text))
    and ($4::text is null or p.id in (
        select publication_id from public_publication_topic where slug = $4::text))
    and ($5::text is null or p.venue_key in (
        select key from public_venue_alias where slug = $5::text))
    and ($6::boolean is null or p.selected)
    and ($7::text is null or p.search like all (
        array(select jsonb_array_elements_text($7::jsonb))))
    and p.listed >= $8::bigint and p.listed < $9::bigint
    and (p.listed, p.title_start, p.id) > (
        coalesce((select listed from public_publication where id = $10::bigint), 0),
        coalesce((select title_start from public_publication where id = $10::bigint), ''),
        $10::bigint)
    and ($11::text is null or p.slug in (select jsonb_array_elements_text($11::jsonb)))
order by p.listed, p.title_start, p.id
limit $12::int
