-- name: account_row_by_id
-- reads: account person
select a.id, a.email, a.admin, a.language, a.disabled_at is not null as disabled,
    a.password_hash is not null as has_password, a.person_id, p.slug as person_slug,
    p.name_latin, p.name_han, a.created_at, a.lasting_email
from account a left join person p on p.id = a.person_id
where a.id = $1::bigint

-- name: account_id_by_email
-- reads: account
select id from account where email_folded = $1 or lasting_email_folded = $1
order by email_folded = $1 desc limit 1

-- name: account_id_by_person
-- reads: account
select id from account where person_id = $1::bigint

-- name: account_rows
-- reads: account person session
select a.id, a.email, a.admin, a.language, a.disabled_at is not null as disabled,
    a.password_hash is not null as has_password, a.person_id, p.slug as person_slug,
    p.name_latin, p.name_han, a.created_at,
    (select max(seen_at) from session where account_id = a.id) as last_seen_at
from account a left join person p on p.id = a.person_id
order by a.email_folded

-- name: account_insert
-- writes: account
insert into account (email, email_folded, admin, language, person_id)
values ($1, $2, $3::boolean, $4, $5::bigint)
returning id

-- name: account_update_disabled
-- writes: account session sign_in_link
with a as (
    update account set disabled_at = case when $2::boolean
        then coalesce(disabled_at, now()) end
    where id = $1::bigint returning id),
s as (delete from session where $2::boolean and account_id = $1::bigint),
l as (update sign_in_link set withdrawn_at = now() where $2::boolean
    and account_id = $1::bigint and redeemed_at is null and withdrawn_at is null)
select id from a

-- name: account_update_admin
-- writes: account session
with s as (delete from session where account_id = $1::bigint)
update account set admin = $2::boolean where id = $1::bigint returning id

-- name: account_update_person
-- writes: account
update account set person_id = $2::bigint where id = $1::bigint returning id

-- name: account_update_language
-- writes: account
update account set language = $2 where id = $1::bigint returning id

-- name: account_password_row
-- reads: account
select id, password_hash from account
where (email_folded = $1 or lasting_email_folded = $1) and disabled_at is null
order by email_folded = $1 desc limit 1

-- name: account_update_password
-- writes: account session
with s as (delete from session where account_id = $1::bigint
    and ($3::text is null or token_hash <> decode($3, 'hex')))
update account set password_hash = $2 where id = $1::bigint returning id

-- A member's session ends after 7 days without a request and 30 in any case, an admin's
-- after 12 hours and 7 days.
-- name: session_insert
-- reads: account
-- writes: session
with old as (delete from session where token_hash = decode($3, 'hex'))
insert into session (token_hash, account_id, expires_at, csrf_hash)
select decode($2, 'hex'), id,
    now() + case when admin then interval '12 hours' else interval '7 days' end,
    decode($4, 'hex')
from account where id = $1::bigint and disabled_at is null
returning account_id

-- name: session_row
-- reads: session account person
select a.id, a.email, a.admin, a.language, a.disabled_at is not null as disabled,
    a.password_hash is not null as has_password, a.person_id, p.slug as person_slug,
    p.name_latin, p.name_han, a.created_at, s.created_at as session_created_at,
    s.expires_at as session_expires_at,
    s.created_at > now() - interval '10 minutes' as session_fresh,
    s.seen_at < now() - interval '1 minute' as unseen
from session s join account a on a.id = s.account_id
left join person p on p.id = a.person_id
where s.token_hash = decode($1, 'hex') and s.expires_at > now() and a.disabled_at is null

-- name: session_touch
-- reads: account
-- writes: session
update session s set seen_at = now(), expires_at = least(
    now() + case when a.admin then interval '12 hours' else interval '7 days' end,
    s.created_at + case when a.admin then interval '7 days' else interval '30 days' end)
from account a
where a.id = s.account_id and s.token_hash = decode($1, 'hex')

-- name: session_delete
-- writes: session
delete from session where token_hash = decode($1, 'hex')

-- name: session_delete_old
-- writes: session session_past held_post rate
with r as (delete from rate where resets_at < now()),
p as (delete from session_past where ended_at < now() - interval '30 days'),
h as (delete from held_post where created_at < now() - interval '1 day')
delete from session where expires_at < now()

-- name: link_insert
-- reads: account
-- writes: sign_in_link
with old as (
    update sign_in_link set withdrawn_at = now()
    where account_id = $1::bigint and redeemed_at is null and withdrawn_at is null
        and not mailed)
insert into sign_in_link (token_hash, account_id, created_by, expires_at, next)
select decode($2, 'hex'), id, $3::bigint, now() + $4::int * interval '1 hour', $5
from account where id = $1::bigint and disabled_at is null
returning id

-- name: link_row
-- reads: sign_in_link account invitation mail
select l.account_id, l.next, l.invitation_id is not null as invited,
    (select to_address from mail where link_id = l.id and to_address = a.lasting_email)
        as to_address, case
        when l.redeemed_at is not null then 'used'
        when l.withdrawn_at is not null or a.disabled_at is not null
            or i.state = 'withdrawn' then 'withdrawn'
        when l.expires_at <= now() then 'expired'
        else 'good' end as state
from sign_in_link l join account a on a.id = l.account_id
left join invitation i on i.id = l.invitation_id
where l.token_hash = decode($1, 'hex')

-- name: link_by_code
-- reads: sign_in_link
select encode(token_hash, 'hex') as hash from sign_in_link
where account_id = $1::bigint and code_hash = decode($2, 'hex')

-- name: link_take
-- reads: account
-- writes: sign_in_link event invitation
with taken as (
    update sign_in_link l set redeemed_at = now()
    from account a
    where l.token_hash = decode($1, 'hex') and a.id = l.account_id
        and a.disabled_at is null and l.redeemed_at is null and l.withdrawn_at is null
        and l.expires_at > now() and not exists (select from invitation i
            where i.id = l.invitation_id and i.state = 'withdrawn')
    returning l.id, l.account_id, l.next, l.invitation_id, a.email),
opened as (
    update invitation i set opened_at = coalesce(i.opened_at, now()),
        state = case when i.state = 'invited' then 'opened' else i.state end
    from taken where i.id = taken.invitation_id and i.state <> 'withdrawn'),
told as (
    insert into event (account_id, actor, action, entity, target_id, request_id)
    select account_id, email, 'sign_in_link.redeemed', 'account', account_id, $2 from taken)
select account_id, next from taken

-- name: link_update_withdrawn
-- writes: sign_in_link
update sign_in_link set withdrawn_at = now()
where id = $1::bigint and redeemed_at is null and withdrawn_at is null
returning account_id

-- name: link_rows
-- reads: sign_in_link account
select l.id, l.created_at, l.expires_at, l.redeemed_at, l.withdrawn_at,
    c.email as created_by_email, case
        when l.redeemed_at is not null then 'used'
        when l.withdrawn_at is not null then 'withdrawn'
        when l.expires_at <= now() then 'expired'
        else 'good' end as state
from sign_in_link l left join account c on c.id = l.created_by
where l.account_id = $1::bigint
order by l.id desc limit 50

-- name: token_insert
-- writes: api_token
insert into api_token (token_hash, account_id, name, may_approve, expires_at)
values (decode($1, 'hex'), $2::bigint, $3, $4::boolean, now() + $5::int * interval '1 day')
returning id

-- name: token_row
-- reads: api_token account person
select a.id, a.email, a.admin, a.language, a.disabled_at is not null as disabled,
    a.password_hash is not null as has_password, a.person_id, p.slug as person_slug,
    p.name_latin, p.name_han, a.created_at, t.id as token_id,
    t.may_approve and a.admin as may_approve,
    coalesce(t.used_at < now() - interval '1 minute', true) as unseen
from api_token t join account a on a.id = t.account_id
left join person p on p.id = a.person_id
where t.token_hash = decode($1, 'hex') and t.revoked_at is null
    and (t.expires_at is null or t.expires_at > now()) and a.disabled_at is null

-- name: token_touch
-- writes: api_token
update api_token set used_at = now() where id = $1::bigint

-- name: token_update_revoked
-- writes: api_token
update api_token set revoked_at = now() where id = $1::bigint and revoked_at is null
returning account_id

-- name: token_rows
-- reads: api_token
select id, name, may_approve, created_at, expires_at, used_at, revoked_at
from api_token where account_id = $1::bigint order by id desc

-- name: rate_count_one
-- writes: rate
insert into rate as r (key, attempts, resets_at)
values ($1, 1, now() + $2::int * interval '1 second')
on conflict (key) do update set
    attempts = case when r.resets_at <= now() then 1
        else least(r.attempts, 1000000) + 1 end,
    resets_at = case when r.resets_at <= now() then excluded.resets_at else r.resets_at end
returning attempts,
    greatest(1, ceil(extract(epoch from resets_at - now())))::int as seconds_left

-- name: rate_uncount_one
-- writes: rate
update rate set attempts = greatest(attempts - 1, 0) where key = $1

-- name: rate_delete
-- writes: rate
delete from rate where key = $1
