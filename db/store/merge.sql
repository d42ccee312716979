-- name: merge_lock
-- reads: publication
select id, version, slug, merged_into from publication
where id in ($1::bigint, $2::bigint)
order by id
for update

-- The loser gives its identifiers away and is seen no more.
-- name: merge_retire
-- writes: publication publication_identifier
with given as (delete from publication_identifier where publication_id = $1::bigint)
update publication set merged_into = $2::bigint, updated_at = now() where id = $1::bigint

-- What people said of the one holds for the other, unless they spoke of it too.
-- name: merge_take_claims
-- reads: authorship_claim
-- writes: authorship_claim
insert into authorship_claim (publication_id, person_id, verdict, folded, was_linked,
    account_id, at)
select $1::bigint, person_id, verdict, folded, was_linked, account_id, at
from authorship_claim where publication_id = $2::bigint
on conflict do nothing
returning person_id

-- Who said that it is not theirs: they are not linked again.
-- name: merge_denied
-- reads: authorship_claim person
select p.slug from authorship_claim c join person p on p.id = c.person_id
where c.publication_id = $1::bigint and c.verdict = 'not_mine'

-- name: merge_insert
-- writes: publication_merge
insert into publication_merge (into_id, from_id, into_document, from_document, into_version,
    into_after, from_version, persons, account_id, actor)
values ($1::bigint, $2::bigint, $3::json, $4::json, $5::int, $6::int, $7::int,
    array(select jsonb_array_elements_text($8::jsonb)::bigint), $9::bigint, $10)
returning id

-- name: merge_row
-- reads: publication_merge publication
select m.id, m.into_id, m.from_id, m.into_document, m.from_document, m.into_after,
    m.undone_at, to_json(m.persons) as persons, i.version as into_now,
    i.merged_into as into_merged, f.merged_into as from_merged
from publication_merge m
join publication i on i.id = m.into_id
join publication f on f.id = m.from_id
where m.id = $1::bigint
for update

-- name: merge_drop_claims
-- writes: authorship_claim authorship
with unconfirmed as (
    update authorship set confirmed_at = null where publication_id = $1::bigint
        and person_id in (select jsonb_array_elements_text($2::jsonb)::bigint))
delete from authorship_claim where publication_id = $1::bigint
    and person_id in (select jsonb_array_elements_text($2::jsonb)::bigint)

-- The loser is back, with those of its identifiers that no work has.
-- name: merge_restore
-- reads: publication
-- writes: publication publication_identifier
with back as (
    update publication set merged_into = null, updated_at = now() where id = $1::bigint)
insert into publication_identifier (publication_id, position, scheme, value)
select $1::bigint, min(position), scheme, value
from rows from (jsonb_to_recordset($2::jsonb) as (scheme text, value text))
    with ordinality as d (scheme, value, position)
group by scheme, value
on conflict do nothing
returning scheme, value

-- name: merge_undone
-- writes: publication_merge
update publication_merge set undone_at = now(), undone_by = $2::bigint, left_over = $3::json
where id = $1::bigint

-- name: merge_rows
-- reads: publication_merge publication account
select m.id, m.at, m.actor, m.undone_at, m.left_over is not null as left_over,
    m.left_over as left_identifiers, m.into_document ->> 'title' as into_title,
    m.from_document ->> 'title' as from_title, m.from_document ->> 'year' as from_year,
    i.slug as into_slug, f.slug as from_slug, m.into_id, m.from_id,
    i.version = m.into_after as whole, i.merged_into is not null as merged_on,
    a.email as undone_by
from publication_merge m
join publication i on i.id = m.into_id
join publication f on f.id = m.from_id
left join account a on a.id = m.undone_by
order by m.id desc
limit $1::int offset $2::bigint

-- Works that may be one, older than the work $1 (null: from the newest): of $2 works, at most
-- $3 pairs. `least` is the oldest work looked at, null when none was. `offset 0` has the
-- index on the keys used, where the limit would have the table walked by id for each work.
-- name: merge_candidates
-- reads: publication publication_identifier authorship not_duplicate
with looked as materialized (
    select id, match_keys from publication
    where merged_into is null and ($1::bigint is null or id < $1::bigint)
    order by id desc limit $2::int
), pair as materialized (
    select l.id as newer, o.id as older
    from looked l cross join lateral (
        select id from (select id, merged_into from publication
            where match_keys && l.match_keys offset 0) k
        where id < l.id and merged_into is null
        limit 20) o
    where not exists (select from not_duplicate n where n.one = o.id and n.other = l.id)
    order by 1 desc, 2 desc limit $3::int
), work as (
    select w.id, w.slug, w.title, w.year, w.kind, w.venue, json_build_object(
        'kind', w.kind, 'title', w.title, 'authors', coalesce((
            select json_agg(json_build_object('name', a.name, 'family', a.family,
                'given', a.given) order by a.position)
            from authorship a where a.publication_id = w.id and a.position <= 40), '[]'),
        'editors', coalesce(w.editors, '[]'), 'venue', w.venue, 'volume', w.volume,
        'issue', w.issue, 'number', w.number, 'pages', w.pages, 'edition', w.edition,
        'year', w.year, 'identifiers', coalesce((
            select json_agg(json_build_object('scheme', i.scheme, 'value', i.value))
            from publication_identifier i where i.publication_id = w.id), '[]')) as work
    from publication w where w.id in (select newer from pair union select older from pair)
)
select (select min(id) from looked) as least, (select count(*) from looked)::int as looked,
    (select min(newer) from pair) as least_paired,
    (select count(*) from pair)::int as paired,
    coalesce((select json_agg(json_build_object('newer', n, 'older', o))
        from pair p join work n on n.id = p.newer join work o on o.id = p.older), '[]')
        as pairs

-- name: merge_dismiss_pair
-- writes: not_duplicate
insert into not_duplicate (one, other, account_id)
values (least($1::bigint, $2::bigint), greatest($1::bigint, $2::bigint), $3::bigint)
on conflict do nothing

-- name: merge_recall_pair
-- writes: not_duplicate
delete from not_duplicate where one = least($1::bigint, $2::bigint)
    and other = greatest($1::bigint, $2::bigint)

-- name: merge_dismissed_rows
-- reads: not_duplicate publication
select n.one, n.other, n.at, a.title as one_title, b.title as other_title
from not_duplicate n
join publication a on a.id = n.one and a.merged_into is null
join publication b on b.id = n.other and b.merged_into is null
order by n.at desc, n.one, n.other
limit 30

-- name: merge_former
-- reads: former_slug publication
select leads_to as slug from public_former_work where slug = $1 limit 1
