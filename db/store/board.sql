-- The day where the lab is, once: the planner can't inline lab_today(). The latest mail and
-- the appointment come by index, one look a person.
--
-- $1 collection, $2 state ("lacking": whoever has something to do), $3 wave's number,
-- $4 role ("none"), $5 mail state ("none", "queued", "trouble"), $6 words of a search,
-- folded, as a JSON array, $7 ids of invitations as a JSON array; each null for all.
-- $8 column to sort by, $9 descending, $10 offset, $11 limit.
-- name: board_rows
-- reads: account appointment collection invitation lab mail person person_alias wave
with here as materialized (select lab_today() as today),
everyone as (
    select i.id, i.account_id, i.state, i.complete, i.pilot, i.invited_at, i.opened_at,
        i.started_at, i.submitted_at, i.decided_at, i.extended_until, i.reminders,
        i.reminded_at, coalesce(i.extended_until, c.deadline) as until,
        coalesce(coalesce(i.extended_until, c.deadline) < here.today, false) as late,
        i.state in ('invited', 'opened', 'started', 'returned') as lacking,
        a.email, a.email_folded, a.disabled_at is not null as disabled,
        a.bounced_at is not null as bounced, a.language as account_language,
        p.id as person_id, p.slug as person_slug, p.name_latin, p.name_han,
        coalesce(lower(p.family_latin), p.name_han, a.email_folded) as name_key,
        (select role from appointment where person_id = p.id
            order by (starts is null or starts <= here.today)
                and (ends is null or ends >= here.today) desc,
                starts desc nulls last, position limit 1) as role,
        m.id as mail_id, m.template as mail_template, coalesce(m.sent_at, m.created_at)
            as mail_at, m.reason as mail_reason,
        case when m.state in ('waiting', 'sending') then 'queued' else m.state end
            as mail_state,
        w.number as wave, w.kind as wave_kind
    from here
    join collection c on c.id = $1::bigint
    join invitation i on i.collection_id = c.id
    join wave w on w.id = i.wave_id
    join account a on a.id = i.account_id
    left join person p on p.id = a.person_id
    left join lateral (select * from mail where invitation_id = i.id
        order by id desc limit 1) m on true),
matched as (
    select e.*, case $8 when 'name' then name_key when 'mail' then mail_state end as words,
        case $8 when 'role' then array_position(array['faculty', 'postdoc', 'staff', 'phd',
                'master', 'undergraduate', 'visitor', 'member'], role)
            when 'state' then array_position(array['invited', 'opened', 'started',
                'returned', 'submitted', 'approved', 'withdrawn'], state)
            when 'complete' then complete
            when 'wave' then wave
            when 'reminders' then reminders
            when 'invited' then extract(epoch from invited_at)
            when 'opened' then extract(epoch from opened_at)
            when 'started' then extract(epoch from started_at)
            when 'submitted' then extract(epoch from submitted_at)
            when 'decided' then extract(epoch from decided_at)
            when 'until' then extract(epoch from until) end as number
    from everyone e
    where ($2::text is null or e.state = $2 or $2 = 'lacking' and lacking)
        and ($3::int is null or wave = $3::int)
        and ($4::text is null or coalesce(role, 'none') = $4)
        and ($5::text is null or coalesce(mail_state, 'none') = $5
            or $5 = 'trouble' and mail_state in ('failed', 'bounced'))
        and case when $6::json is null then true else not exists (
            select from json_array_elements_text($6::json) word
            where position(word in concat_ws(' ', email_folded, lower(name_latin), name_han,
                (select string_agg(folded, ' ') from person_alias n
                    where n.person_id = e.person_id))) = 0) end
        and ($7::json is null or e.id in (
            select value::bigint from json_array_elements_text($7::json))))
select *, count(*) over () as total
from matched
order by words is null and number is null,
    case when not $9::boolean then words end, case when not $9::boolean then number end,
    case when $9::boolean then words end desc, case when $9::boolean then number end desc,
    name_key, name_latin, id
offset $10::int limit $11::int

-- name: board_counts
-- reads: collection invitation lab mail
select count(*) as "all",
    count(*) filter (where i.lacking) as lacking,
    count(*) filter (where i.state = 'invited') as invited,
    count(*) filter (where i.state = 'opened') as opened,
    count(*) filter (where i.state = 'started') as started,
    count(*) filter (where i.state = 'submitted') as submitted,
    count(*) filter (where i.state = 'returned') as returned,
    count(*) filter (where i.state = 'approved') as approved,
    count(*) filter (where i.state = 'withdrawn') as withdrawn,
    count(*) filter (where m.state in ('failed', 'bounced')) as trouble
from invitation_now i
left join lateral (select state from mail where invitation_id = i.id
    order by id desc limit 1) m on true
where i.collection_id = $1::bigint

-- name: board_waves
-- reads: wave
select number, kind, opened_at from wave where collection_id = $1::bigint order by number

-- Whole days where the lab is, from the first invitation to the deadline or today,
-- whichever is later, 400 at most; counts up to the end of each day.
-- name: board_days
-- reads: collection invitation lab
with here as materialized (
    select lab_today() as today, lab_zone() as zone),
asked as (
    select (i.invited_at at time zone zone)::date as invited,
        (i.opened_at at time zone zone)::date as opened,
        (i.submitted_at at time zone zone)::date as submitted
    from invitation i, here where i.collection_id = $1::bigint),
happened as materialized (
    select day, count(*) filter (where what = 0) as invited,
        count(*) filter (where what = 1) as opened,
        count(*) filter (where what = 2) as submitted
    from asked, lateral (values (invited, 0), (opened, 1), (submitted, 2)) v(day, what)
    where day is not null group by day),
span as (
    select min(day) as first, least(min(day) + 399,
        greatest(max(here.today), max(c.deadline))) as last
    from happened, here, collection c where c.id = $1::bigint)
select d.day::date as day, d.day::date > here.today as future,
    coalesce(sum(invited) over byday, 0) as invited,
    coalesce(sum(opened) over byday, 0) as opened,
    coalesce(sum(submitted) over byday, 0) as submitted
from here, span,
    generate_series(first::timestamp, last::timestamp, interval '1 day') d(day)
left join happened h on h.day = d.day::date
window byday as (order by d.day)
order by d.day

-- name: board_lock_row
-- reads: invitation
select id from invitation where id = $1::bigint for update

-- A statement of its own: one that waits for a lock still sees what was before it waited.
-- name: board_latest_mail
-- reads: mail
select coalesce(max(id), 0) as id from mail where invitation_id = $1::bigint

-- name: board_day_is_over
-- reads: lab
select $1::date < lab_today() as over

-- What happened with one person, newest first: events, mails, steps in the form.
-- name: board_history_rows
-- reads: answer_step event mail
select * from (
    select at, 'event' as kind, action as what, actor as who, null::text as state,
        null::bigint as mail_id, null::int as section, id
    from event where entity in ('invitation', 'answer') and target_id = $1::bigint
    union all
    select created_at, 'mail', template, to_address, state, id, null, id
    from mail where invitation_id = $1::bigint
    union all
    select max(at), 'step', kind, null, null, null, section + 1, max(id)
    from answer_step where invitation_id = $1::bigint
    group by kind, section, (at at time zone 'UTC')::date) happened
order by at desc, kind, id desc limit 200
