-- name: publication_document
-- reads: publication authorship publication_identifier publication_link publication_topic
-- reads: publication_file topic person
select w.id, w.version, w.slug, json_build_object(
    'slug', w.slug, 'kind', w.kind, 'title', w.title,
    'authors', coalesce((select json_agg(json_build_object('name', a.name,
            'family', a.family, 'given', a.given, 'person', p.slug, 'equal', a.equal,
            'corresponding', a.corresponding) order by a.position)
        from authorship a left join person p on p.id = a.person_id
        where a.publication_id = w.id), '[]'),
    'editors', coalesce(w.editors, '[]'), 'venue', w.venue, 'series', w.series,
    'volume', w.volume, 'issue', w.issue, 'number', w.number, 'pages', w.pages,
    'edition', w.edition, 'publisher', w.publisher, 'place', w.place, 'genre', w.genre,
    'year', w.year, 'month', w.month, 'day', w.day, 'language', w.language,
    'abstract', w.abstract, 'note', w.note, 'award', w.award, 'selected', w.selected,
    'weight', nullif(w.weight, 0),
    'topics', coalesce((select json_agg(json_build_object('topic', t.slug)
            order by x.position)
        from publication_topic x join topic t on t.id = x.topic_id
        where x.publication_id = w.id), '[]'),
    'url', w.url,
    'identifiers', coalesce((select json_agg(json_build_object('scheme', i.scheme,
            'value', i.value) order by i.position)
        from publication_identifier i where i.publication_id = w.id), '[]'),
    'links', coalesce((select json_agg(json_build_object('kind', l.kind, 'url', l.url)
            order by l.position)
        from publication_link l where l.publication_id = w.id), '[]'),
    'files', coalesce((select json_agg(json_build_object('kind', f.kind, 'file', f.file,
            'name', f.name, 'visibility', f.visibility, 'embargo', f.embargo)
            order by f.position)
        from publication_file f where f.publication_id = w.id), '[]'),
    'bibtex', w.bibtex, 'bibtex_key', w.bibtex_key, 'bibtex_type', w.bibtex_type)
    as document
from (select) one left join publication w on w.id = $1::bigint

-- name: publication_id_by_slug
-- reads: publication
select id from publication where slug = $1 and merged_into is null

-- name: publication_check
-- reads: publication_identifier person topic file authorship_claim
select 'identifiers.' || d.position - 1 || '.value' as field, 'identifier_taken' as code
from rows from (jsonb_to_recordset($2::jsonb -> 'identifiers')
    as (scheme text, value text)) with ordinality as d (scheme, value, position)
join publication_identifier i using (scheme, value)
where i.publication_id is distinct from $1::bigint
union all
select 'authors.' || d.position - 1 || '.person', 'person'
from rows from (jsonb_to_recordset($2::jsonb -> 'authors') as (person text))
    with ordinality as d (person, position)
where d.person is not null and not exists (select from person where slug = d.person)
union all
select 'authors.' || d.position - 1 || '.person', 'not_theirs'
from rows from (jsonb_to_recordset($2::jsonb -> 'authors') as (person text))
    with ordinality as d (person, position)
join person p on p.slug = d.person
join authorship_claim c on c.person_id = p.id and c.publication_id = $1::bigint
    and c.verdict = 'not_mine'
union all
select 'topics.' || d.position - 1 || '.topic', 'topic'
from rows from (jsonb_to_recordset($2::jsonb -> 'topics') as (topic text))
    with ordinality as d (topic, position)
where d.topic is not null and not exists (select from topic where slug = d.topic)
union all
select 'files.' || d.position - 1 || '.file', 'file'
from rows from (jsonb_to_recordset($2::jsonb -> 'files') as (file text))
    with ordinality as d (file, position)
where d.file is not null and not exists (select from file where token = d.file)

-- name: publication_insert
-- reads: publication
-- writes: publication
insert into publication (slug, kind, title, title_folded, venue, year, month, day, volume,
    issue, pages, publisher, abstract, note, url, bibtex, bibtex_key, bibtex_type, search,
    editors, series, number, edition, place, genre, language, award, selected, weight,
    bibtex_shown, match_keys)
select free_slug('publication', d.slug), d.kind, d.title, d.title_folded, d.venue, d.year,
    d.month, d.day, d.volume, d.issue, d.pages, d.publisher, d.abstract, d.note, d.url,
    d.bibtex, d.bibtex_key, d.bibtex_type, d.search, d.editors, d.series, d.number,
    d.edition, d.place, d.genre, d.language, d.award, coalesce(d.selected, false),
    coalesce(d.weight, 0), d.bibtex_shown, coalesce(d.match_keys, '{}')
from jsonb_populate_record(null::publication, $1::jsonb) d
returning id, slug

-- name: publication_update
-- reads: publication
-- writes: publication
update publication w set version = w.version + 1, updated_at = now(),
    slug = case when d.slug = w.slug then d.slug
        else free_slug('publication', d.slug) end,
    kind = d.kind, title = d.title, title_folded = d.title_folded, venue = d.venue,
    year = d.year, month = d.month, day = d.day, volume = d.volume, issue = d.issue,
    pages = d.pages, publisher = d.publisher, abstract = d.abstract, note = d.note,
    url = d.url, bibtex = d.bibtex, bibtex_key = d.bibtex_key, bibtex_type = d.bibtex_type,
    search = d.search, editors = d.editors, series = d.series, number = d.number,
    edition = d.edition, place = d.place, genre = d.genre, language = d.language,
    award = d.award, selected = coalesce(d.selected, false),
    weight = coalesce(d.weight, 0), bibtex_shown = d.bibtex_shown,
    match_keys = coalesce(d.match_keys, '{}')
from jsonb_populate_record(null::publication, $2::jsonb) d
where w.id = $1::bigint and w.version = $3::int and w.merged_into is null
returning w.slug

-- Authorships are overwritten in place, so that what a person confirmed stays confirmed.
-- name: publication_clear
-- writes: authorship publication_identifier publication_link publication_topic
-- writes: publication_file
with authors as (
    delete from authorship where publication_id = $1::bigint
        and position > coalesce(jsonb_array_length($2::jsonb -> 'authors'), 0)),
identifiers as (delete from publication_identifier where publication_id = $1::bigint),
links as (delete from publication_link where publication_id = $1::bigint),
topics as (delete from publication_topic where publication_id = $1::bigint),
files as (delete from publication_file where publication_id = $1::bigint)
select 1 as done

-- name: publication_parts
-- reads: person person_alias topic authorship_claim
-- writes: authorship publication_identifier publication_link publication_topic
-- writes: publication_file
with authors as (
    insert into authorship (publication_id, position, name, family, given, folded, equal,
        corresponding, person_id, confirmed_at)
    select $1::bigint, position, name, family, given, folded, coalesce(equal, false),
        coalesce(corresponding, false), l.id, (select c.at from authorship_claim c
            where c.publication_id = $1::bigint and c.person_id = l.id
                and c.verdict = 'mine')
    from rows from (jsonb_to_recordset($2::jsonb -> 'authors')
        as (name text, family text, given text, folded text, equal boolean,
            corresponding boolean, person text))
        with ordinality as d (name, family, given, folded, equal, corresponding, person,
            position)
    cross join lateral (select coalesce(
        (select id from person where slug = d.person),
        (select c.person_id from authorship_claim c where c.publication_id = $1::bigint
            and c.folded = d.folded and c.verdict <> 'not_mine' limit 1),
        (select k.person_id from known_name k where k.folded = d.folded)) as id) m
    left join lateral (select m.id where not exists (select from authorship_claim c
        where c.publication_id = $1::bigint and c.person_id = m.id
            and c.verdict = 'not_mine')) l on true
    on conflict (publication_id, position) do update set name = excluded.name,
        family = excluded.family, given = excluded.given, folded = excluded.folded,
        equal = excluded.equal, corresponding = excluded.corresponding,
        person_id = excluded.person_id,
        confirmed_at = coalesce(excluded.confirmed_at,
            case when authorship.person_id = excluded.person_id
                then authorship.confirmed_at end)),
identifiers as (
    insert into publication_identifier (publication_id, position, scheme, value)
    select $1::bigint, min(position), scheme, value
    from rows from (jsonb_to_recordset($2::jsonb -> 'identifiers')
        as (scheme text, value text)) with ordinality as d (scheme, value, position)
    group by scheme, value),
links as (
    insert into publication_link (publication_id, position, kind, url)
    select $1::bigint, position, kind, url
    from rows from (jsonb_to_recordset($2::jsonb -> 'links') as (kind text, url text))
        with ordinality as d (kind, url, position)),
topics as (
    insert into publication_topic (publication_id, topic_id, position)
    select $1::bigint, t.id, min(d.position)
    from rows from (jsonb_to_recordset($2::jsonb -> 'topics') as (topic text))
        with ordinality as d (topic, position)
    join topic t on t.slug = d.topic
    group by t.id),
files as (
    insert into publication_file (publication_id, position, kind, file, name, visibility,
        embargo)
    select $1::bigint, position, kind, file, name, visibility, embargo
    from rows from (jsonb_to_recordset($2::jsonb -> 'files')
        as (kind text, file text, name text, visibility text, embargo date))
        with ordinality as d (kind, file, name, visibility, embargo, position))
select 1 as done

-- name: publication_found
-- reads: publication authorship
with found as (
    select id, issued from publication
    where merged_into is null and ($1::text is null or search like all (select '%' || replace(replace(replace(word,
            '\', '\\'), '%', '\%'), '_', '\_') || '%'
        from regexp_split_to_table($1, ' +') word))
        and ($2::bigint is null or id in (
            select publication_id from authorship where person_id = $2::bigint)))
select (select count(*) from found) as total, coalesce((
    select json_agg(r) from (
        select w.id, w.slug, w.version, w.kind, w.title,
            (select string_agg(name, ', ' order by position) from authorship
                where publication_id = w.id and position <= 20) as authors,
            w.venue, w.year, w.updated_at
        from publication w
        where id in (select id from found order by issued desc, id desc
            limit $3::int offset $4::bigint)
        order by w.issued desc, w.id desc) r), '[]') as rows

-- Works that have one of a document's identifiers or match keys: $1 [{item, identifiers,
-- keys}], at most $2 of each document by keys. What same_work_compare() reads is in `work`.
-- name: publication_matches
-- reads: publication publication_identifier authorship
select m.item, w.id, w.slug, w.version, w.title, w.year, w.kind, m.by, json_build_object(
    'kind', w.kind, 'title', w.title, 'authors', coalesce((
        select json_agg(json_build_object('name', a.name, 'family', a.family,
            'given', a.given) order by a.position)
        from authorship a where a.publication_id = w.id and a.position <= 40), '[]'),
    'editors', coalesce(w.editors, '[]'), 'venue', w.venue, 'volume', w.volume,
    'issue', w.issue, 'number', w.number, 'pages', w.pages, 'edition', w.edition,
    'year', w.year, 'identifiers', coalesce((
        select json_agg(json_build_object('scheme', i.scheme, 'value', i.value))
        from publication_identifier i where i.publication_id = w.id), '[]')) as work
from (
    select d.item, i.publication_id as id, 'identifier' as by, min(n.position) as rank
    from jsonb_to_recordset($1::jsonb) as d (item int, identifiers jsonb),
        rows from (jsonb_to_recordset(d.identifiers) as (scheme text, value text))
            with ordinality as n (scheme, value, position)
    join publication_identifier i using (scheme, value)
    group by d.item, i.publication_id
    union all
    select d.item, c.id, c.by, c.rank
    from jsonb_to_recordset($1::jsonb) as d (item int, keys bigint[]), lateral (
        (select id, 'exact' as by, 500 as rank from publication
        where match_keys @> d.keys[1:1] and d.keys <> '{}' and merged_into is null limit 8)
        union all
        (select id, 'title', 1000 from publication
        where match_keys && d.keys and merged_into is null
        limit $2::int)) c) m
join publication w using (id)
where w.merged_into is null
order by m.item, m.rank, w.id

-- Of each work: the source of the change applied last, and what the last import said.
-- name: publication_imports
-- reads: change
select d.id, (select source from change where entity = 'publication' and target_id = d.id
        and state = 'approved' order by change.id desc limit 1) as last_source,
    (select document from change where entity = 'publication' and target_id = d.id
        and state = 'approved' and source = 'import' order by change.id desc limit 1)
        as imported
from (select value::bigint as id from jsonb_array_elements_text($1::jsonb)) d

-- name: publication_without_keys
-- reads: publication authorship
select w.id, w.title, w.editors, (select json_agg(json_build_object('name', a.name,
        'family', a.family, 'given', a.given))
    from authorship a where a.publication_id = w.id and a.position = 1) as authors
from publication w
where w.match_keys is null
order by w.id
limit 1000

-- name: publication_set_keys
-- writes: publication
update publication w set match_keys = coalesce(d.keys, '{}')
from jsonb_to_recordset($1::jsonb) as d (id bigint, keys bigint[])
where w.id = d.id

-- Which of $1 [{n, scheme, value}] another work has.
-- name: publication_taken
-- reads: publication_identifier
select distinct d.n from jsonb_to_recordset($1::jsonb) as d (n int, scheme text, value text)
join publication_identifier i using (scheme, value)

-- New works, all at once: $1 is an array of documents as for publication_insert and
-- publication_parts, without topics and files, and without explicit persons. Gives the place
-- in the array, from 1, the id, the slug, and whom the authors were found to be.
-- name: publication_insert_many
-- reads: person person_alias
-- writes: publication authorship publication_identifier publication_link
with lock as materialized (
    select pg_advisory_xact_lock(hashtext('slug'), hashtext('publication'))),
d as materialized (
    select n, value as v, value ->> 'slug' as base,
        row_number() over (partition by value ->> 'slug' order by n) as nth
    from lock, jsonb_array_elements($1::jsonb) with ordinality as e (value, n)),
taken as materialized (
    select b.base, (
        select max(case when p.slug = b.base collate "C" then 1
            else substr(p.slug, length(b.base) + 2)::bigint end)
        from publication p
        where p.slug = b.base collate "C"
            or (p.slug >= (b.base || '-') collate "C" and p.slug < (b.base || '.') collate "C"
                and substr(p.slug, length(b.base) + 2) ~ '^[0-9]{1,9}$')) as top
    from (select distinct base from d) b),
named as materialized (
    select d.n, d.v, case
        when t.top is null and d.nth = 1 then d.base
        when t.top is null then d.base || '-' || d.nth
        else d.base || '-' || greatest(t.top + 1, 2) + d.nth - 1 end as slug
    from d join taken t using (base)),
w as (
    insert into publication (slug, kind, title, title_folded, venue, year, month, day, volume,
        issue, pages, publisher, abstract, note, url, bibtex, bibtex_key, bibtex_type, search,
        editors, series, number, edition, place, genre, language, award, selected, weight,
        bibtex_shown, match_keys)
    select n.slug, d.kind, d.title, d.title_folded, d.venue, d.year, d.month, d.day, d.volume,
        d.issue, d.pages, d.publisher, d.abstract, d.note, d.url, d.bibtex, d.bibtex_key,
        d.bibtex_type, d.search, d.editors, d.series, d.number, d.edition, d.place, d.genre,
        d.language, d.award, coalesce(d.selected, false), coalesce(d.weight, 0),
        d.bibtex_shown, coalesce(d.match_keys, '{}')
    from named n cross join lateral jsonb_populate_record(null::publication, n.v) d
    order by n.n
    returning id, slug),
ids as materialized (
    select n.n, n.v, w.id, w.slug from w join named n on n.slug = w.slug),
authors as (
    insert into authorship (publication_id, position, name, family, given, folded, equal,
        corresponding, person_id)
    select ids.id, a.position, a.name, a.family, a.given, a.folded, coalesce(a.equal, false),
        coalesce(a.corresponding, false), k.person_id
    from ids cross join lateral rows from (jsonb_to_recordset(ids.v -> 'authors')
            as (name text, family text, given text, folded text, equal boolean,
                corresponding boolean))
        with ordinality as a (name, family, given, folded, equal, corresponding, position)
    left join known_name k on k.folded = a.folded
    returning publication_id, position, person_id),
identifiers as (
    insert into publication_identifier (publication_id, position, scheme, value)
    select ids.id, min(i.position), i.scheme, i.value
    from ids cross join lateral rows from (jsonb_to_recordset(ids.v -> 'identifiers')
            as (scheme text, value text)) with ordinality as i (scheme, value, position)
    group by ids.id, i.scheme, i.value),
links as (
    insert into publication_link (publication_id, position, kind, url)
    select ids.id, l.position, l.kind, l.url
    from ids cross join lateral rows from (jsonb_to_recordset(ids.v -> 'links')
            as (kind text, url text)) with ordinality as l (kind, url, position)),
people as (
    select a.publication_id, json_agg(json_build_object('position', a.position,
        'person', p.slug)) as list
    from authors a join person p on p.id = a.person_id group by a.publication_id)
select ids.n::int as n, ids.id, ids.slug, coalesce(people.list, '[]') as people
from ids left join people on people.publication_id = ids.id
order by ids.n
