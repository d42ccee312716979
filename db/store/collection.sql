-- name: collection_one
-- reads: collection lab form_version invitation collection_person
select c.id, c.version, c.kind, c.title_en, c.title_zh, c.words_en, c.words_zh,
    c.thanks_en, c.thanks_zh, c.deadline, zone.name as deadline_zone,
    utc_offset(c.deadline, zone.name) as deadline_offset,
    (c.deadline + 1)::timestamp at time zone zone.name - interval '1 second' as deadline_at,
    c.deadline - lab_today() as days_left, c.state, to_json(c.remind_days) as remind_days,
    c.remind_most, c.remind_gap, c.definition, c.definition_version, c.copied_from,
    c.created_at, c.opened_at, c.closed_at, v.number as published,
    v.id as form_version_id, v.definition::text is distinct from c.definition::text
        as unpublished,
    n.*, p.*
from collection c
cross join lateral (select lab_zone() as name) zone
left join lateral (select id, number, definition from form_version
    where collection_id = c.id order by number desc limit 1) v on true
cross join lateral (select count(*) filter (where state <> 'withdrawn') as invited,
        count(*) filter (where pilot and state <> 'withdrawn') as pilot,
        count(*) filter (where state = 'opened') as opened,
        count(*) filter (where state = 'started') as started,
        count(*) filter (where state = 'submitted') as submitted,
        count(*) filter (where state = 'returned') as returned,
        count(*) filter (where state = 'approved') as approved,
        count(*) filter (where state = 'withdrawn') as withdrawn,
        count(*) filter (where lacking) as lacking
    from invitation_now where collection_id = c.id) n
cross join lateral (select count(*) as chosen,
        count(*) filter (where pilot) as chosen_pilot
    from collection_person where collection_id = c.id) p
where c.id = $1::bigint

-- name: collection_rows
-- reads: collection lab invitation collection_person
select c.id, c.kind, c.title_en, c.title_zh, c.deadline, zone.name as deadline_zone,
    utc_offset(c.deadline, zone.name) as deadline_offset,
    c.deadline - lab_today() as days_left, c.state, c.created_at, c.opened_at, n.*,
    (select count(*) from collection_person where collection_id = c.id) as chosen
from collection c
cross join lateral (select lab_zone() as name) zone
cross join lateral (select count(*) filter (where state <> 'withdrawn') as invited,
        count(*) filter (where state = 'submitted') as submitted,
        count(*) filter (where state = 'approved') as approved,
        count(*) filter (where lacking) as lacking
    from invitation_now where collection_id = c.id) n
order by array_position(array['open', 'closing', 'draft', 'closed'], c.state),
    c.deadline nulls last, c.id desc

-- name: collection_insert
-- writes: collection
insert into collection (kind, title_en, title_zh, words_en, words_zh, thanks_en, thanks_zh,
    deadline, remind_days, remind_most, remind_gap, definition, created_by)
select $1, d.title_en, d.title_zh, d.words_en, d.words_zh, d.thanks_en, d.thanks_zh,
    d.deadline, coalesce(d.remind_days, '{7,3,1}'), coalesce(d.remind_most, 3),
    coalesce(d.remind_gap, 2), $3::json, $4::bigint
from jsonb_populate_record(null::collection, $2::jsonb) d
returning id

-- name: collection_update_settings
-- writes: collection
update collection c set version = c.version + 1, title_en = d.title_en,
    title_zh = d.title_zh, words_en = d.words_en, words_zh = d.words_zh,
    thanks_en = d.thanks_en, thanks_zh = d.thanks_zh, deadline = d.deadline,
    remind_days = coalesce(d.remind_days, '{}'),
    remind_most = coalesce(d.remind_most, c.remind_most),
    remind_gap = coalesce(d.remind_gap, c.remind_gap)
from jsonb_populate_record(null::collection, $3::jsonb) d
where c.id = $1::bigint and c.version = $2::int
returning c.version

-- name: collection_update_definition
-- writes: collection
update collection set definition = $3::json, definition_version = definition_version + 1
where id = $1::bigint and definition_version = $2::int
returning definition_version

-- name: collection_lock
-- reads: collection lab
select id, kind, title_en, title_zh, version, state, definition, definition_version,
    deadline, deadline >= lab_today() as ahead
from collection, lab_today() where id = $1::bigint
for update of collection

-- name: collection_id_exists
-- reads: collection
select id from collection where id = $1::bigint

-- name: collection_update_state
-- writes: collection
update collection set state = $3,
    opened_at = case when $3 = 'open' then coalesce(opened_at, now()) else opened_at end,
    closed_at = case when $3 = 'closed' then now() end
where id = $1::bigint and state = $2
returning id

-- name: collection_copy
-- reads: mail_text
-- writes: collection mail_text
with made as (
    insert into collection (kind, title_en, title_zh, words_en, words_zh, thanks_en,
        thanks_zh, remind_days, remind_most, remind_gap, definition, copied_from,
        created_by)
    select kind, $2, $3, words_en, words_zh, thanks_en, thanks_zh, remind_days,
        remind_most, remind_gap, definition, id, $4::bigint
    from collection where id = $1::bigint
    returning id),
texts as (
    insert into mail_text (name, language, collection_id, subject, body, updated_by)
    select t.name, t.language, made.id, t.subject, t.body, $4::bigint
    from mail_text t, made where t.collection_id = $1::bigint)
select id from made

-- Those who were asked or chosen, and are still here; nobody is of the pilot yet.
-- name: collection_copy_people
-- reads: invitation account collection_person
-- writes: collection_person
insert into collection_person (collection_id, person_id)
select $2::bigint, person_id from collection_person where collection_id = $1::bigint
union
select $2::bigint, a.person_id from invitation i join account a on a.id = i.account_id
where i.collection_id = $1::bigint and i.state <> 'withdrawn' and a.person_id is not null
on conflict do nothing

-- name: collection_delete_draft
-- writes: collection
delete from collection where id = $1::bigint and state = 'draft'
returning id

-- name: form_version_newest
-- reads: form_version
select id, number, definition from form_version
where collection_id = $1::bigint order by number desc limit 1

-- name: form_version_insert
-- reads: form_version collection
-- writes: form_version
insert into form_version (collection_id, number, definition, published_by)
select c.id, 1 + coalesce((select max(number) from form_version
        where collection_id = c.id), 0), c.definition, $2::bigint
from collection c where c.id = $1::bigint
returning id, number

-- Everybody who could be asked, with what stands in the way.
-- name: collection_people_rows
-- reads: person account appointment lab invitation collection_person
select p.id, p.slug, p.name_latin, p.name_han, a.role, a.starts, a.ends,
    extract(year from s.first)::int as year, coalesce(a.current, false) as current,
    coalesce(account.email, p.email) as address, account.id as account_id,
    c.person_id is not null as chosen, coalesce(c.pilot, false) as pilot, i.id as invitation_id,
    i.state as invitation_state, i.pilot as invitation_pilot,
    case when account.disabled_at is not null then 'disabled'
        when account.bounced_at is not null then 'bounced'
        when account.id is not null then null
        when p.email is null then 'no_address'
        when exists (select from account o where o.email_folded = lower(p.email)
            and o.person_id is not null) or exists (select from person o
            where lower(o.email) = lower(p.email) and o.id < p.id) then 'address_taken'
        else 'no_account' end as reason
from person p
left join account on account.person_id = p.id
left join collection_person c on c.collection_id = $1::bigint and c.person_id = p.id
left join invitation i on i.collection_id = $1::bigint and i.account_id = account.id
left join lateral (
    select * from public_appointment where person_id = p.id
    order by current desc, starts desc nulls last, position limit 1) a on true
left join lateral (
    select min(starts) as first from appointment where person_id = p.id) s on true
order by coalesce(lower(p.family_latin), p.name_han), p.name_latin, p.id

-- Of the people shown, those are chosen and those are of the pilot; the others shown are
-- not.
-- name: collection_choose_shown
-- reads: person
-- writes: collection_person
with shown as (select value::bigint as id from json_array_elements_text($2::json)),
asked as (select value::bigint as id from json_array_elements_text($3::json)
    union select value::bigint from json_array_elements_text($4::json)),
gone as (
    delete from collection_person
    where collection_id = $1::bigint and person_id in (select id from shown)
        and person_id not in (select id from asked)
    returning person_id)
insert into collection_person (collection_id, person_id, pilot)
select $1::bigint, p.id,
    p.id in (select value::bigint from json_array_elements_text($4::json))
from person p where p.id in (select id from asked intersect select id from shown)
on conflict (collection_id, person_id) do update set pilot = excluded.pilot

-- name: collection_choose_at_random
-- reads: collection_person person account invitation
-- writes: collection_person
update collection_person set pilot = true
where collection_id = $1::bigint and person_id in (
    select c.person_id from collection_person c join person p on p.id = c.person_id
    left join account a on a.person_id = p.id
    where c.collection_id = $1::bigint and not c.pilot and a.disabled_at is null
        and coalesce(a.email, p.email) is not null
        and not exists (select from invitation i
            where i.collection_id = $1::bigint and i.account_id = a.id)
    order by random() limit $2::int)
returning person_id

-- name: wave_rows
-- reads: wave form_version account invitation
select w.id, w.number, w.kind, w.opened_at, v.number as form_number,
    a.email as opened_by_email,
    (select count(*) from invitation where wave_id = w.id) as invitations
from wave w join form_version v on v.id = w.form_version_id
left join account a on a.id = w.opened_by
where w.collection_id = $1::bigint order by w.number

-- name: wave_insert
-- reads: wave
-- writes: wave
insert into wave (collection_id, number, kind, form_version_id, opened_by)
select $1::bigint, 1 + coalesce((select max(number) from wave
        where collection_id = $1::bigint), 0), $2, $3::bigint, $4::bigint
returning id, number, kind, form_version_id

-- name: invitation_insert
-- reads: account
-- writes: invitation
insert into invitation (collection_id, account_id, wave_id, pilot, form_version_id)
select $1::bigint, a.id, $2::bigint, $3::boolean, $4::bigint
from account a
where a.id in (select value::bigint from json_array_elements_text($5::json))
    and a.disabled_at is null
order by a.id
on conflict (collection_id, account_id) do nothing
returning id, account_id

-- Those who answer an older form than the newest: whom `extend to everyone` looks at.
-- name: invitation_older
-- reads: invitation
select id, account_id, form_version_id, state from invitation
where collection_id = $1::bigint and form_version_id <> $2::bigint
    and state <> 'withdrawn'
order by id for update

-- The newest text of an answer: of the open change, else what was approved.
-- name: invitation_answer
-- reads: change answer invitation collection account
select i.id, i.state, i.account_id, i.collection_id, i.form_version_id, i.asked, c.kind,
    a.person_id,
    coalesce((select ch.document from change ch where ch.entity = 'answer'
        and ch.target_id = i.id and ch.author_id = i.account_id
        and ch.state in ('draft', 'submitted', 'returned') order by ch.id desc limit 1),
        (select an.document from answer an where an.id = i.id), '{}'::json) as document
from invitation i join collection c on c.id = i.collection_id
join account a on a.id = i.account_id
where i.id = $1::bigint

-- name: invitation_lock
-- reads: invitation
select id, collection_id, account_id, form_version_id, state, extended_until, reminders
from invitation where id = $1::bigint for update

-- name: invitation_move_to
-- writes: invitation
update invitation set form_version_id = $2::bigint,
    wave_id = coalesce($3::bigint, wave_id),
    asked = case when $4::json is not null then $4::json
        when state in ('submitted', 'approved') then asked end,
    state = case when $4::json is not null and state not in ('invited', 'opened')
        then 'invited' else state end
where id = $1::bigint
returning id

-- name: invitation_by_id
-- reads: invitation collection lab account person form_version wave
select i.*, v.number as form_number, w.kind as wave_kind, a.email, a.language,
    a.person_id, p.slug as person_slug, p.name_latin, p.name_han, c.kind,
    c.state as collection_state, c.title_en, c.title_zh
from invitation_now i join collection c on c.id = i.collection_id
join account a on a.id = i.account_id
join form_version v on v.id = i.form_version_id
join wave w on w.id = i.wave_id
left join person p on p.id = a.person_id
where i.id = $1::bigint

-- name: invitation_id_of
-- reads: invitation
select id from invitation where collection_id = $1::bigint and account_id = $2::bigint

-- name: invitation_rows
-- reads: invitation collection lab account person form_version
select i.id, i.account_id, i.state, i.pilot, i.complete, i.until, i.extended_until,
    i.accepts, i.lacking, i.form_version_id, v.number as form_number, i.invited_at,
    i.reminders, i.reminded_at, a.email, a.language, p.slug as person_slug, p.name_latin,
    p.name_han
from invitation_now i join account a on a.id = i.account_id
join form_version v on v.id = i.form_version_id
left join person p on p.id = a.person_id
where i.collection_id = $1::bigint
order by coalesce(lower(p.family_latin), p.name_han), p.name_latin, i.id

-- name: invitation_update_extended
-- writes: invitation
update invitation set extended_until = $2::date
where id = $1::bigint and state <> 'withdrawn'
returning id

-- Mails that wait are not sent, and links in mails that were sent lead nowhere.
-- name: invitation_update_withdrawn
-- writes: invitation mail sign_in_link
with gone as (
    update invitation set state = 'withdrawn'
    where id = $1::bigint and state <> 'withdrawn' returning id),
mails as (
    update mail set state = 'cancelled', reason = 'withdrawn', secret = null,
        version = version + 1
    where invitation_id in (select id from gone) and state in ('waiting', 'held')),
links as (
    update sign_in_link set withdrawn_at = now()
    where invitation_id in (select id from gone) and redeemed_at is null
        and withdrawn_at is null)
select id from gone

-- Back to where the answer had come to.
-- name: invitation_update_reinstated
-- reads: change answer
-- writes: invitation
update invitation i set state = coalesce(
    (select case ch.state when 'draft' then 'started' else ch.state end from change ch
        where ch.entity = 'answer' and ch.target_id = i.id
            and ch.state in ('draft', 'submitted', 'returned')
        order by ch.id desc limit 1),
    (select 'approved' from answer an where an.id = i.id and an.version > 1),
    case when i.opened_at is null then 'invited' else 'opened' end)
where i.id = $1::bigint and i.state = 'withdrawn'
returning i.id

-- Reminders. By the schedule each person has one a day of it: the latest day that has
-- come. Not on the day that they were asked, and not within the gap after another one.
-- name: reminder_due
-- reads: invitation collection lab wave account reminder
select i.id, d.days, i.until
from invitation_now i join collection c on c.id = i.collection_id
join wave w on w.id = i.wave_id
join account a on a.id = i.account_id and a.disabled_at is null and a.bounced_at is null
cross join lateral (select min(day) as days from unnest(c.remind_days) day
    where day >= i.until - lab_today()) d
where i.lacking and i.accepts and i.until is not null and d.days is not null
    and i.reminders < c.remind_most
    and lab_day(greatest(i.invited_at, w.opened_at)) < lab_today()
    and (i.reminded_at is null or lab_day(i.reminded_at) + c.remind_gap <= lab_today())
    and not exists (select from reminder r where r.invitation_id = i.id
        and r.days = d.days and r.until = i.until)
    and ($1::bigint is null or i.id = $1::bigint)
order by i.id limit 200

-- name: reminder_insert
-- writes: reminder
insert into reminder (invitation_id, days, until)
values ($1::bigint, $2::int, $3::date)
on conflict do nothing
returning days

-- name: reminder_update_mail
-- writes: reminder
update reminder set mail_id = $4::bigint
where invitation_id = $1::bigint and days = $2::int and until = $3::date

-- What the schedule orders at midnight goes out in the lab's morning.
-- name: reminder_morning
-- reads: lab
-- writes: mail
update mail set due_at = greatest(due_at, (lab_today() + time '08:00')
    at time zone lab_zone())
where id = $1::bigint

-- Why a reminder by hand may not be sent; null: it may.
-- name: reminder_refusal
-- reads: invitation collection lab account
select i.id, i.account_id, i.collection_id, case
    when i.state = 'withdrawn' then 'withdrawn'
    when not i.lacking then 'not_lacking'
    when not i.accepts then 'closed'
    when a.disabled_at is not null then 'disabled'
    when i.reminders >= c.remind_most then 'cap'
    when lab_day(i.reminded_at) + c.remind_gap > lab_today() then 'gap'
    end as refusal
from invitation_now i join collection c on c.id = i.collection_id
join account a on a.id = i.account_id
where i.id = $1::bigint

-- name: invitation_update_reminded
-- writes: invitation
update invitation set reminders = reminders + 1, reminded_at = now()
where id = $1::bigint

-- name: collection_lab_today
-- reads: lab
select lab_today() as today

-- The form that everyone answers by now.
-- name: wave_of_everyone
-- reads: wave
select id, form_version_id from wave
where collection_id = $1::bigint and kind = 'everyone'
order by number desc limit 1
