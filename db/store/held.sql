-- Whose session's forms carry the token, also when the session is over.
-- name: held_owner
-- reads: session session_past account
select a.id, a.admin
from (
    select account_id from session where csrf_hash = decode($1, 'hex')
    union
    select account_id from session_past where csrf_hash = decode($1, 'hex')) s
join account a on a.id = s.account_id
where a.disabled_at is null
limit 1

-- One a path, five an account.
-- name: held_insert
-- writes: held_post
with old as (
    delete from held_post where id in (
        select id from held_post where account_id = $1::bigint and path <> $2
        order by created_at desc offset 4))
insert into held_post (account_id, path, fields) values ($1::bigint, $2, $3::json)
on conflict (account_id, path) do update
    set fields = excluded.fields, created_at = now(), offered_at = null
returning id

-- name: held_one
-- reads: held_post
select id, path, fields, created_at from held_post
where id = $1::bigint and account_id = $2::bigint
    and created_at > now() - interval '1 day'

-- name: held_rows
-- reads: held_post
select id, path, created_at from held_post
where account_id = $1::bigint and created_at > now() - interval '1 day'
order by created_at desc, id desc

-- name: held_offer
-- writes: held_post
update held_post set offered_at = now()
where id = (
    select id from held_post
    where account_id = $1::bigint and offered_at is null
        and created_at > now() - interval '1 day'
    order by created_at desc limit 1)
returning id

-- name: held_delete
-- writes: held_post
delete from held_post where id = $1::bigint and account_id = $2::bigint

-- name: held_delete_path
-- writes: held_post
delete from held_post where account_id = $1::bigint and path = $2
