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

-- name: file_sweep_unused
-- writes: file
delete from file where not kept and created_at < now() - interval '7 days'
