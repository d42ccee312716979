-- name: lookup_kept
-- reads: lookup
select body, etag, checked_at > now() - interval '7 days' as fresh from lookup
where scheme = $1 and value = $2

-- name: lookup_keep
-- writes: lookup
insert into lookup (scheme, value, body, etag) values ($1, $2, $3::json, $4)
on conflict (scheme, value) do update set body = excluded.body, etag = excluded.etag,
    checked_at = now()

-- The body is still the same.
-- name: lookup_confirm
-- writes: lookup
update lookup set checked_at = now() where scheme = $1 and value = $2

-- Takes the next turn at a host, $2 milliseconds after the one before: how many milliseconds
-- to wait for it. None when that is more than $3.
-- name: lookup_turn
-- writes: lookup_host
insert into lookup_host as h (host, next_at)
values ($1, now() + $2::int * interval '1 millisecond')
on conflict (host) do update
    set next_at = greatest(h.next_at, now()) + $2::int * interval '1 millisecond'
    where h.next_at <= now() + $3::int * interval '1 millisecond'
returning greatest(0, ceil(extract(epoch from next_at - now()) * 1000 - $2::int))::int as wait

-- The host asked for a pause.
-- name: lookup_pause
-- writes: lookup_host
insert into lookup_host as h (host, next_at) values ($1, now() + $2::int * interval '1 second')
on conflict (host) do update set next_at = greatest(h.next_at, excluded.next_at)

-- name: lookup_contact
-- reads: lab
select email from lab

-- Addresses on visitors' pages that are to be looked at: those that failed lately again after
-- a day, the others after a month; those never looked at first.
-- name: link_due
-- reads: publication publication_link link_check
select u.url from (
    select l.url from publication_link l join publication w on w.id = l.publication_id
    where w.merged_into is null
    union select url from publication where url is not null and merged_into is null) u
left join link_check c on c.url = u.url
where c.url is null
    or c.checked_at < now() - case when c.fails > 0 then interval '1 day'
        else interval '30 days' end
order by c.checked_at nulls first, u.url limit $1::int

-- name: link_checked
-- writes: link_check
insert into link_check as c (url, status, error, fails)
values ($1, $2::int, $3, case when $4::boolean then 1 else 0 end)
on conflict (url) do update set status = excluded.status, error = excluded.error,
    fails = case when $4::boolean then c.fails + 1 else 0 end, checked_at = now()

-- Links that twice in a row led nowhere: [{url, status, error, slug, title}].
-- name: link_dead
-- reads: publication publication_link link_check
select c.url, c.status, c.error, w.slug, w.title
from link_check c
join lateral (
    select w.* from publication w where w.merged_into is null and (w.url = c.url or exists (
        select from publication_link l where l.publication_id = w.id and l.url = c.url))
    order by w.id limit 1) w on true
where c.fails >= 2 order by c.checked_at desc, c.url limit 500
