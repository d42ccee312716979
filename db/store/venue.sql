-- Venues and how they are written. A text on a work belongs to the venue whose alias has its
-- key (venue_key(), migration 0009), so that what is written here takes effect at once.

-- $1: words in its names as a LIKE pattern, null for all.
-- name: venue_rows
-- reads: venue venue_alias publication
select v.slug, v.name, v.short_name, v.kind, v.rank,
    (select count(*) from venue_alias a join publication p on p.venue_key = a.key
        and p.merged_into is null where a.venue_id = v.id)::int as count
from venue v
where $1::text is null or exists (select from venue_alias a
    where a.venue_id = v.id and a.key like $1::text)
order by count desc, lower(coalesce(v.short_name, v.name)), v.name limit 500

-- Texts of works that are in no venue's list, the most used first.
-- name: venue_unlisted
-- reads: venue_alias publication
select (mode() within group (order by p.venue)) as name, count(*)::int as count,
    mode() within group (order by case p.kind when 'article' then 'journal'
        when 'conference' then 'conference' when 'chapter' then 'book' else 'other' end) as kind
from publication p
where p.merged_into is null and p.venue_key is not null
    and not exists (select from venue_alias a where a.key = p.venue_key)
group by p.venue_key order by count desc, name limit 100

-- name: venue_by_slug
-- reads: venue venue_alias publication
select v.id, v.slug, v.name, v.short_name, v.kind, v.rank, v.version,
    (select coalesce(json_agg(a.name order by a.name), '[]') from venue_alias a
        where a.venue_id = v.id and a.key <> venue_key(v.name)
            and a.key is distinct from venue_key(v.short_name)) as aliases,
    (select count(*) from venue_alias a join publication p on p.venue_key = a.key
        and p.merged_into is null where a.venue_id = v.id)::int as count
from venue v where v.slug = $1

-- Those other than $1 that one of the names ($2) is of; a name that comes down to nothing.
-- name: venue_named
-- reads: venue venue_alias
select n.name, v.id, v.slug, v.name as venue, venue_key(n.name) is null as nothing
from jsonb_array_elements_text($2::jsonb) n (name)
left join venue_alias a on a.key = venue_key(n.name) and a.venue_id is distinct from $1::bigint
left join venue v on v.id = a.venue_id
where v.id is not null or venue_key(n.name) is null

-- name: venue_insert
-- writes: venue
-- reads: venue
insert into venue (slug, name, short_name, kind, rank)
values (free_slug('venue', $1), $2, $3, $4, $5) returning id, slug

-- name: venue_update
-- reads: venue
-- writes: venue
update venue set name = $3, short_name = $4, kind = $5, rank = $6, version = version + 1
where id = $1::bigint and version = $2::int returning id, slug

-- name: venue_forget_names
-- reads: venue_alias
-- writes: venue_alias
delete from venue_alias where venue_id = $1::bigint

-- name: venue_names
-- writes: venue_alias
-- reads: venue_alias
insert into venue_alias (key, venue_id, name)
select distinct on (venue_key(name)) venue_key(name), $1::bigint, name
from jsonb_array_elements_text($2::jsonb) with ordinality n (name, place)
where venue_key(name) is not null order by venue_key(name), place
on conflict (key) do nothing

-- name: venue_move_names
-- reads: venue_alias
-- writes: venue_alias
update venue_alias set venue_id = $2::bigint where venue_id = $1::bigint

-- name: venue_delete_row
-- reads: venue
-- writes: venue
delete from venue where id = $1::bigint
