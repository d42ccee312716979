-- What a mail's words need, in one row. An account without a person has no names.
-- Who has left the lab is reached under the address that lasts.
-- name: mail_facts_row
-- reads: account person lab collection invitation appointment
select a.id, case when a.lasting_email is not null
        and exists (select from appointment x where x.person_id = p.id)
        and not exists (select from appointment x where x.person_id = p.id
            and (x.ends is null or x.ends >= lab_today()))
        then a.lasting_email else a.email end as email, a.language, a.disabled_at is not null as disabled,
    a.bounced_at is not null as bounced, p.name_latin, p.name_han,
    (select name_en from lab) as lab_en, (select name_zh from lab) as lab_zh,
    (select email from lab) as lab_email,
    lab_zone() as zone,
    c.title_en, c.title_zh, extract(year from coalesce(i.extended_until, c.deadline))::int as year,
    extract(month from coalesce(i.extended_until, c.deadline))::int as month,
    extract(day from coalesce(i.extended_until, c.deadline))::int as day
from account a left join person p on p.id = a.person_id
left join collection c on c.id = $2::bigint
left join invitation i on i.id = $3::bigint
where a.id = $1::bigint

-- name: mail_link_insert
-- reads: account
-- writes: sign_in_link
insert into sign_in_link (token_hash, account_id, created_by, expires_at, next,
    invitation_id, code_hash, mailed)
select decode($2, 'hex'), id, $3::bigint, now() + $4::int * interval '1 hour', $5,
    $6::bigint, decode($7, 'hex'), true
from account where id = $1::bigint and disabled_at is null
returning id

-- name: mail_insert
-- writes: mail
insert into mail (message_id, template, language, account_id, collection_id,
    invitation_id, to_name, to_address, subject, body, secret, link_id, stop_hash, state,
    reason)
values ($1, $2, $3, $4::bigint, $5::bigint, $6::bigint, $7, $8, $9, $10, $11, $12::bigint,
    decode($13, 'hex'), case when $14::text is null then 'waiting' else 'cancelled' end, $14)
returning id

-- The collection's own words stand before the lab's.
-- name: mail_text_best_row
-- reads: mail_text
select subject, body from mail_text
where name = $1 and language = $2
    and (collection_id is null or collection_id = $3::bigint)
order by collection_id is null limit 1

-- name: mail_text_row
-- reads: mail_text account
select t.id, t.version, t.subject, t.body, t.updated_at, a.email as updated_by_email
from mail_text t left join account a on a.id = t.updated_by
where t.name = $1 and t.language = $2
    and coalesce(t.collection_id, 0) = coalesce($3::bigint, 0)

-- name: mail_text_rows
-- reads: mail_text account
select t.name, t.language, t.version, t.subject, t.updated_at, a.email as updated_by_email
from mail_text t left join account a on a.id = t.updated_by
where coalesce(t.collection_id, 0) = coalesce($1::bigint, 0)
order by t.name, t.language

-- Version 0: there was none.
-- name: mail_text_insert
-- writes: mail_text
insert into mail_text (name, language, collection_id, subject, body, updated_by)
values ($1, $2, $3::bigint, $4, $5, $6::bigint)
on conflict do nothing
returning id

-- name: mail_text_update
-- writes: mail_text
update mail_text set subject = $4, body = $5, updated_by = $6::bigint, updated_at = now(),
    version = version + 1
where name = $1 and language = $2
    and coalesce(collection_id, 0) = coalesce($3::bigint, 0) and version = $7::int
returning id

-- name: mail_text_delete
-- writes: mail_text
delete from mail_text where name = $1 and language = $2
    and coalesce(collection_id, 0) = coalesce($3::bigint, 0) and version = $4::int
returning id

-- One that is due, for this worker alone until the lease ends. Whether it is still wanted
-- is judged now, not when it was written.
-- name: mail_take_row
-- reads: account invitation collection lab
-- writes: mail
with due as (
    select id from mail
    where state in ('waiting', 'sending') and due_at <= now()
        and (state = 'waiting' or leased_until < now())
    order by due_at, id limit 1 for update skip locked)
update mail m set state = 'sending', attempts = m.attempts + 1,
    leased_until = now() + $1::int * interval '1 second'
from due where m.id = due.id
returning m.id, m.message_id, m.template, m.language, m.to_name, m.to_address, m.subject,
    m.body, m.secret, m.attempts, m.stop_hash is not null as stoppable,
    to_char(now() at time zone 'UTC', 'Dy, DD Mon YYYY HH24:MI:SS') || ' +0000' as date,
    (select name_en from lab) as lab_en, (select name_zh from lab) as lab_zh,
    (select email from lab) as lab_email,
    case
        when exists (select from account a where a.id = m.account_id
            and a.disabled_at is not null) then 'disabled'
        when m.template = 'reminder' and exists (select from invitation i
            where i.id = m.invitation_id and i.stopped_at is not null) then 'stopped'
        when m.template in ('invitation', 'reminder') and not exists (
            select from invitation_now n where n.id = m.invitation_id
                and n.accepts and n.lacking) then 'not_needed'
        when m.template = 'asked_again' and not exists (
            select from invitation_now n where n.id = m.invitation_id and n.accepts)
            then 'not_needed'
        end as unwanted

-- How many seconds until there may be something to take; null: nothing waits.
-- name: mail_next_row
-- reads: mail
select ceil(extract(epoch from min(case when state = 'sending' then leased_until
    else due_at end) - now()))::int as seconds
from mail where state in ('waiting', 'sending')

-- A link's hours are counted from the first try to send it.
-- name: mail_link_start
-- reads: mail
-- writes: sign_in_link
update sign_in_link l set expires_at = l.expires_at + (now() - m.created_at)
from mail m where m.id = $1::bigint and l.id = m.link_id and m.attempts = 1

-- A bounce may have been faster.
-- name: mail_set_sent
-- writes: mail
update mail set state = 'sent', reason = null, sent_at = now(), secret = null,
    leased_until = null
where id = $1::bigint and attempts = $2::int and state = 'sending'

-- name: mail_set_waiting
-- writes: mail
update mail set state = 'waiting', reason = $3, leased_until = null,
    due_at = now() + $4::int * interval '1 second'
where id = $1::bigint and attempts = $2::int and state = 'sending'

-- name: mail_set_failed
-- writes: mail
update mail set state = 'failed', reason = $3, leased_until = null
where id = $1::bigint and attempts = $2::int and state = 'sending'

-- Nobody will get its link any more.
-- name: mail_set_unwanted
-- writes: mail sign_in_link
with m as (
    update mail set state = 'cancelled', reason = $3, secret = null, leased_until = null
    where id = $1::bigint and attempts = $2::int and state = 'sending'
    returning link_id)
update sign_in_link l set withdrawn_at = now() from m
where l.id = m.link_id and l.redeemed_at is null and l.withdrawn_at is null

-- name: mail_count_rows
-- reads: mail
select state, count(*)::int as count from mail group by state

-- name: mail_rows
-- reads: mail account person collection
select m.id, m.version, m.template, m.language, m.to_name, m.to_address, m.subject,
    m.state, m.reason, m.attempts, m.due_at, m.created_at, m.sent_at, m.collection_id,
    c.title_en, c.title_zh, p.slug as person_slug
from mail m left join collection c on c.id = m.collection_id
left join account a on a.id = m.account_id left join person p on p.id = a.person_id
where ($1::text is null or m.state = $1) and ($2::bigint is null or m.id < $2::bigint)
order by m.id desc limit $3::int

-- name: mail_row
-- reads: mail account person collection sign_in_link
select m.id, m.version, m.message_id, m.template, m.language, m.account_id, m.to_name,
    m.to_address, m.subject, m.body, m.secret, m.state, m.reason, m.attempts, m.due_at,
    m.created_at, m.sent_at, m.collection_id, m.invitation_id, m.link_id,
    m.stop_hash is not null as stoppable, c.title_en, c.title_zh, p.slug as person_slug,
    l.next, l.redeemed_at, greatest(1, round(extract(epoch from l.expires_at - l.created_at)
        / 3600))::int as link_hours
from mail m left join collection c on c.id = m.collection_id
left join account a on a.id = m.account_id left join person p on p.id = a.person_id
left join sign_in_link l on l.id = m.link_id
where m.id = $1::bigint

-- name: mail_update_words
-- writes: mail
update mail set subject = $3, body = $4, version = version + 1
where id = $1::bigint and version = $2::int and state in ('waiting', 'held')
returning id

-- The three below take the ids as a JSON array.
-- name: mail_update_held
-- writes: mail
update mail set state = 'held', version = version + 1
where id in (select value::bigint from json_array_elements_text($1::json))
    and state = 'waiting'

-- name: mail_update_released
-- writes: mail
update mail set state = 'waiting', version = version + 1, due_at = now()
where id in (select value::bigint from json_array_elements_text($1::json))
    and state = 'held'

-- name: mail_update_cancelled
-- writes: mail sign_in_link
with m as (
    update mail set state = 'cancelled', reason = 'by_admin', secret = null,
        version = version + 1
    where id in (select value::bigint from json_array_elements_text($1::json))
        and state in ('waiting', 'held', 'failed')
    returning id, link_id),
l as (
    update sign_in_link set withdrawn_at = now() where id in (select link_id from m)
        and redeemed_at is null and withdrawn_at is null)
select id from m

-- name: mail_update_retried
-- writes: mail
update mail set state = 'waiting', attempts = case when state = 'failed' then 0
    else attempts end, due_at = now(), version = version + 1
where id = $1::bigint and state in ('waiting', 'failed')
returning id

-- name: mail_update_bounced
-- writes: mail account
with m as (
    update mail set state = 'bounced', reason = $2, secret = null
    where message_id = $1 and state in ('sending', 'sent', 'waiting', 'failed', 'bounced')
    returning id, account_id, to_address),
a as (
    update account set bounced_at = coalesce(bounced_at, now())
    from m where account.id = m.account_id
        and m.to_address in (account.email, account.lasting_email))
select id from m

-- name: mail_update_stopped
-- reads: mail
-- writes: invitation
update invitation i set stopped_at = case when $2::boolean then coalesce(i.stopped_at, now()) end
from mail m where m.stop_hash = decode($1, 'hex') and i.id = m.invitation_id
returning i.id

-- name: mail_stopped_row
-- reads: mail invitation collection
select c.title_en, c.title_zh, i.stopped_at is not null as stopped
from mail m join invitation i on i.id = m.invitation_id
join collection c on c.id = i.collection_id
where m.stop_hash = decode($1, 'hex')
