-- What the program holds of one account. Lists go by id, a piece at a time.
-- name: personal_account
-- reads: account session sign_in_link api_token
select a.email, a.lasting_email, a.lasting_confirmed_at, a.language, a.admin, a.created_at,
    a.password_hash is not null as has_password,
    (select coalesce(json_agg(json_build_object('signed_in', s.created_at, 'seen', s.seen_at)
        order by s.created_at), '[]') from session s where s.account_id = a.id) as sessions,
    (select coalesce(json_agg(json_build_object('made', l.created_at, 'expires', l.expires_at,
        'used', l.redeemed_at) order by l.id), '[]')
        from sign_in_link l where l.account_id = a.id) as sign_in_links,
    (select coalesce(json_agg(json_build_object('name', k.name, 'made', k.created_at,
        'used', k.used_at) order by k.id), '[]')
        from api_token k where k.account_id = a.id) as api_tokens
from account a where a.id = $1::bigint

-- name: personal_history
-- reads: revision account change
select r.version as id, r.document, c.source, r.created_at
from account a join revision r on r.entity = 'person' and r.target_id = a.person_id
join change c on c.id = r.change_id
where a.id = $1::bigint and r.version > $2::bigint order by r.version limit 20

-- Of other people's profiles, which an admin edits, no more than that: they are not theirs.
-- name: personal_changes
-- reads: change account
select c.id, c.entity, c.target_id, c.state, c.source,
    case when mine then c.document end as document,
    case when mine then c.proposed end as proposed,
    case when mine then c.comment end as comment,
    case when mine then c.comments end as comments,
    c.created_at, c.submitted_at, c.decided_at
from change c join account a on a.id = c.author_id
cross join lateral (select c.entity <> 'person' or c.target_id is null
    or c.target_id is not distinct from a.person_id) m (mine)
where c.author_id = $1::bigint and c.id > $2::bigint order by c.id limit 20

-- name: personal_answers
-- reads: invitation collection answer feedback
select i.id, c.title_en, c.title_zh, i.state, i.invited_at, i.submitted_at, a.document,
    (select json_agg(json_build_object('section', f.section, 'unclear', f.unclear,
        'comment', f.comment)) from feedback f where f.invitation_id = i.id) as feedback
from invitation i join collection c on c.id = i.collection_id
left join answer a on a.id = i.id
where i.account_id = $1::bigint and i.id > $2::bigint order by i.id limit 20

-- name: personal_mails
-- reads: mail
select id, template, to_address, subject, body, state, created_at, sent_at
from mail where account_id = $1::bigint and id > $2::bigint order by id limit 20

-- From where is told of what the account did itself.
-- name: personal_events
-- reads: event
select id, at, action, entity, target_id, account_id is not distinct from $1::bigint as own,
    case when account_id = $1::bigint then peer end as peer
from event
where (account_id = $1::bigint or entity = 'account' and target_id = $1::bigint)
    and id > $2::bigint
order by id limit 200

-- What they uploaded, but for the photo of somebody else, and their own photo, whoever
-- uploaded it.
-- name: personal_files
-- reads: file file_part account person
select f.token, p.name from account a
join file f on f.account_id = a.id and not exists (
        select from person o where o.photo = f.token and o.id is distinct from a.person_id)
    or f.token = (select photo from person where id = a.person_id)
join file_part p on p.file_id = f.id
where a.id = $1::bigint order by f.id, p.name limit 10000

-- The address that lasts.
-- name: personal_lasting_ask
-- writes: lasting_token
with old as (delete from lasting_token where account_id = $1::bigint or expires_at < now())
insert into lasting_token (token_hash, account_id, email, expires_at)
values (decode($2, 'hex'), $1::bigint, $3, now() + interval '7 days')

-- name: personal_lasting_taken
-- reads: account
select exists (select from account where id <> $1::bigint
    and (email_folded = $2 or lasting_email_folded = $2)) as taken

-- name: personal_lasting_look
-- reads: lasting_token
select email from lasting_token
where token_hash = decode($2, 'hex') and account_id = $1::bigint and expires_at > now()

-- Links that were mailed to the one before it sign nobody in any more.
-- name: personal_lasting_take
-- reads: mail
-- writes: lasting_token account sign_in_link
with t as (delete from lasting_token where token_hash = decode($2, 'hex')
    and account_id = $1::bigint and expires_at > now() returning email),
l as (update sign_in_link s set withdrawn_at = now()
    from account o join mail m on m.account_id = o.id and m.to_address = o.lasting_email, t
    where o.id = $1::bigint and m.to_address <> t.email and s.id = m.link_id
        and s.redeemed_at is null and s.withdrawn_at is null)
update account set lasting_email = t.email, lasting_email_folded = $3,
    lasting_confirmed_at = now()
from t where id = $1::bigint
returning id

-- name: personal_lasting_drop
-- reads: mail
-- writes: account lasting_token sign_in_link
with t as (delete from lasting_token where account_id = $1::bigint),
l as (update sign_in_link s set withdrawn_at = now()
    from account o join mail m on m.account_id = o.id and m.to_address = o.lasting_email
    where o.id = $1::bigint and s.id = m.link_id
        and s.redeemed_at is null and s.withdrawn_at is null)
update account set lasting_email = null, lasting_email_folded = null,
    lasting_confirmed_at = null
where id = $1::bigint returning id

-- name: personal_lasting_state
-- reads: account lasting_token
select a.lasting_email, a.lasting_confirmed_at,
    (select email from lasting_token where account_id = a.id and expires_at > now()
        order by created_at desc limit 1) as asked_email
from account a where a.id = $1::bigint

-- Requests to delete.
-- name: personal_request_add
-- writes: deletion_request
insert into deletion_request (account_id, words) values ($1::bigint, $2)
returning id

-- name: personal_request_withdraw
-- writes: deletion_request
update deletion_request set withdrawn_at = now(), words = null
where account_id = $1::bigint and withdrawn_at is null and done_at is null
returning id

-- name: personal_request_open
-- reads: deletion_request
select id, words, created_at from deletion_request
where account_id = $1::bigint and withdrawn_at is null and done_at is null

-- name: personal_request_rows
-- reads: deletion_request account person
select r.id, r.words, r.created_at, r.withdrawn_at, r.done_at, r.account_id, a.email,
    d.email as done_by_email, p.id as person_id, p.slug as person_slug, p.name_latin,
    p.name_han
from deletion_request r join account a on a.id = r.account_id
left join person p on p.id = a.person_id
left join account d on d.id = r.done_by
where ($1::bigint is null and r.withdrawn_at is null and r.done_at is null)
    or r.id = $1::bigint
order by r.created_at limit 200

-- name: personal_request_take
-- writes: deletion_request
update deletion_request set done_at = now(), done_by = $2::bigint, words = null
where id = $1::bigint and withdrawn_at is null and done_at is null
returning account_id

-- Forgetting. What names and dates of a person stay is said on the pages.
-- name: personal_forget_revisions
-- writes: revision
update revision set document = coalesce((
    select json_object_agg(d.key, case when d.key in ('slug', 'name_han', 'given_latin',
        'family_latin', 'other_names', 'appointments') then d.value end order by d.ordinality)
    from json_each(document) with ordinality d), '{}')
where entity = 'person' and target_id = $1::bigint

-- Photos of the person, whoever uploaded them; before the documents are forgotten.
-- name: personal_forget_photos
-- reads: revision change person
-- writes: file
delete from file f where f.token in (
        select document ->> 'photo' from revision
        where entity = 'person' and target_id = $1::bigint
        union select document ->> 'photo' from change
        where entity = 'person' and target_id = $1::bigint
        union select proposed ->> 'photo' from change
        where entity = 'person' and target_id = $1::bigint)
    and not exists (select from person p where p.photo = f.token)

-- name: personal_forget_changes
-- writes: change
update change set document = coalesce((
        select json_object_agg(d.key, case when d.key in ('slug', 'name_han', 'given_latin',
            'family_latin', 'other_names', 'appointments') then d.value end
            order by d.ordinality)
        from json_each(document) with ordinality d), '{}'),
    proposed = null, comment = null, comments = null
where entity = 'person' and target_id = $1::bigint

-- name: personal_forget_open
-- writes: change
update change set state = 'withdrawn', version = version + 1, updated_at = now()
where author_id = $1::bigint and state in ('draft', 'submitted', 'returned')

-- name: personal_forget_invitations
-- writes: invitation
update invitation set state = 'withdrawn' where account_id = $1::bigint

-- name: personal_forget_answers
-- reads: invitation
-- writes: answer change revision feedback
with mine as (select id from invitation where account_id = $1::bigint),
a as (update answer set document = '{}' where id in (select id from mine)),
c as (update change set document = '{}', proposed = null, comment = null, comments = null
    where entity = 'answer' and target_id in (select id from mine)),
r as (update revision set document = '{}'
    where entity = 'answer' and target_id in (select id from mine))
update feedback set comment = null where invitation_id in (select id from mine)

-- name: personal_forget_traces
-- reads: person publication_file
-- writes: mail file held_post session_past lasting_token api_token
with m as (delete from mail where account_id = $1::bigint),
f as (delete from file f where account_id = $1::bigint
    and not exists (select from person p where p.photo = f.token)
    and not exists (select from publication_file p where p.file = f.token)),
h as (delete from held_post where account_id = $1::bigint),
s as (delete from session_past where account_id = $1::bigint),
l as (delete from lasting_token where account_id = $1::bigint)
update api_token set revoked_at = coalesce(revoked_at, now()) where account_id = $1::bigint

-- name: personal_forget_events
-- writes: event
update event set actor = 'erased', peer = null, detail = null where account_id = $1::bigint

-- name: personal_forget_told
-- writes: event
update event set detail = null
where entity = 'account' and target_id = $1::bigint
    and account_id is distinct from $1::bigint

-- name: personal_forget_account
-- writes: account
update account set email = 'erased-' || id, email_folded = 'erased-' || id,
    password_hash = null, admin = false, lasting_email = null, lasting_email_folded = null,
    lasting_confirmed_at = null, bounced_at = null
where id = $1::bigint returning id
