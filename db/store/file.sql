-- A file and its parts [{name, type, bytes in hex}], unless its account has many that it
-- never used, or a whole day's worth that it did.
-- name: file_insert
-- reads: file
-- writes: file file_part
with added as (
    insert into file (token, account_id, width, height)
    select $1, $2::bigint, $3::int, $4::int
    where (select count(*) from file where account_id = $2::bigint and not kept) < 100
        and (select count(*) from file where account_id = $2::bigint
            and created_at > now() - interval '1 day') < 300
    returning id)
insert into file_part (file_id, name, type, bytes)
select added.id, part.name, part.type, decode(part.bytes, 'hex')
from added, jsonb_to_recordset($5::jsonb) as part (name text, type text, bytes text)
returning file_id

-- Whoever uploaded it, admins, and those to whom a profile shows it.
-- name: file_part_seen
-- reads: account appointment file file_part person person_alias
select part.type, encode(part.bytes, 'hex') as bytes, exists (
        select from person p where p.photo = f.token
            and may_see(level_of(p.visibility, 'photo'), 'visitor')) as everyone
from file f join file_part part on part.file_id = f.id
where f.token = $1 and part.name = $2 and (
    f.account_id = $3::bigint
    or exists (select from account where id = $3::bigint and admin)
    or exists (
        select from person p where p.photo = f.token
            and may_see(level_of(p.visibility, 'photo'), standing(p.id, $3::bigint))))

-- A document without its chunks; none for an account that has uploaded too much of what it
-- did not use.
-- name: file_insert_document
-- reads: file
-- writes: file
insert into file (token, account_id, name, type, size)
select $1, $2::bigint, $3, $4, $5::bigint
where (select count(*) from file where account_id = $2::bigint and not kept) < 100
    and (select coalesce(sum(size), 0) from file where account_id = $2::bigint
        and created_at > now() - interval '1 day') < 2000000000
returning id

-- name: file_insert_chunk
-- writes: file_chunk
insert into file_chunk (file_id, number, bytes)
select $1::bigint, $2::int, decode($3, 'hex')

-- A document of a work follows what the work says of it; whoever uploaded it and admins see
-- it always. $2: the viewer.
-- name: file_document_seen
-- reads: account file publication publication_file lab
with shown as (
    select p.visibility, p.embargo is null or p.embargo <= lab_today() as out
    from publication_file p join publication w on w.id = p.publication_id
    where p.file = $1 and w.merged_into is null
)
select f.id, f.name, f.type, f.size,
    exists (select from shown where visibility = 'public' and out) as everyone
from file f
where f.token = $1 and f.size is not null and (
    f.account_id = $2::bigint
    or exists (select from shown where visibility = 'public' and out)
    or exists (select from account a where a.id = $2::bigint and a.disabled_at is null and (
        a.admin or exists (select from shown where visibility in ('public', 'members')))))

-- name: file_chunk
-- reads: file_chunk
select encode(bytes, 'hex') as bytes from file_chunk
where file_id = $1::bigint and number = $2::int

-- name: file_sweep_unused
-- writes: file
delete from file where not kept and created_at < now() - interval '7 days'
