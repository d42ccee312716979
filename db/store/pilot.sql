-- What the page of the pilot shows, of one form version. Times: from one step to the next of
-- the same person; more than a quarter of an hour is a pause and counts for nothing.

-- name: pilot_version
-- reads: wave form_version
select v.id, v.number, v.definition, w.opened_at
from wave w join form_version v on v.id = w.form_version_id
where w.collection_id = $1::bigint and w.kind = 'pilot'
order by w.number desc limit 1

-- name: pilot_people
-- reads: invitation answer_step
with steps as (
    select s.invitation_id, s.section, s.at,
        lead(s.at) over (partition by s.invitation_id order by s.id) - s.at as gap
    from answer_step s where s.form_version_id = $2::bigint),
spent as (
    select invitation_id, sum(extract(epoch from gap)) as seconds
    from steps where gap between '0' and interval '15 minutes' group by invitation_id)
select count(*) as asked,
    count(*) filter (where i.opened_at is not null) as opened,
    count(*) filter (where i.started_at is not null) as started,
    count(*) filter (where i.submitted_at is not null) as submitted,
    count(p.seconds) filter (where i.submitted_at is not null) as timed,
    round((percentile_cont(0.5) within group (order by p.seconds)
        filter (where i.submitted_at is not null))::numeric)::bigint as seconds
from invitation i left join spent p on p.invitation_id = i.id
where i.collection_id = $1::bigint and i.pilot and i.state <> 'withdrawn'

-- name: pilot_sections
-- reads: invitation answer_step
with steps as (
    select s.invitation_id, s.section, i.submitted_at, s.id,
        lead(s.at) over (partition by s.invitation_id order by s.id) - s.at as gap
    from answer_step s join invitation i on i.id = s.invitation_id
    where i.collection_id = $1::bigint and i.pilot and i.state <> 'withdrawn'
        and s.form_version_id = $2::bigint),
each as (
    select invitation_id, section,
        sum(extract(epoch from gap)) filter (where gap between '0' and '15 minutes')
            as seconds,
        count(*) filter (where gap > interval '15 minutes') as pauses
    from steps group by invitation_id, section),
ends as (
    select distinct on (invitation_id) invitation_id, section
    from steps where submitted_at is null order by invitation_id, id desc)
select section, count(*) as people, count(seconds) as timed, sum(pauses)::bigint as pauses,
    round((percentile_cont(0.5) within group (order by seconds))::numeric)::bigint as seconds,
    (select count(*) from ends where ends.section = each.section) as stopped
from each group by section order by section

-- A row of a group counts as its field.
-- name: pilot_corrections
-- reads: invitation answer_step
select regexp_replace(s.field, '\.\d+(\.|$)', '\1') as field, s.code, count(*) as times,
    count(distinct s.invitation_id) as people
from answer_step s join invitation i on i.id = s.invitation_id
where i.collection_id = $1::bigint and i.pilot and i.state <> 'withdrawn'
    and s.form_version_id = $2::bigint and s.kind = 'refused' and s.field is not null
group by 1, 2 order by times desc, 1, 2

-- name: pilot_feedback
-- reads: invitation feedback account person
select f.section, f.field, f.unclear, f.comment, f.updated_at, a.email, p.name_latin,
    p.name_han
from feedback f join invitation i on i.id = f.invitation_id
join account a on a.id = i.account_id
left join person p on p.id = a.person_id
where i.collection_id = $1::bigint and i.pilot and i.state <> 'withdrawn'
    and f.form_version_id = $2::bigint and (f.unclear or f.comment is not null)
order by f.section, f.updated_at

-- How many have another value than the profile that they were shown; nothing, an empty
-- list and "no" say the same.
-- name: pilot_changed
-- reads: invitation answer change revision account collection
with blank (value) as (values ('null'::jsonb), ('""'), ('[]'), ('{}'), ('false')),
answers as (
    select r.document as shown, coalesce((select h.document from change h
            where h.entity = 'answer' and h.target_id = i.id and h.author_id = i.account_id
                and h.state in ('draft', 'submitted', 'returned')
            order by h.id desc limit 1), n.document) as given
    from invitation i join collection c on c.id = i.collection_id
    join account a on a.id = i.account_id
    join answer n on n.id = i.id
    join revision r on r.entity = 'person' and r.target_id = a.person_id
        and r.version = n.person_version
    where i.collection_id = $1::bigint and i.pilot and i.state <> 'withdrawn'
        and i.form_version_id = $2::bigint and c.kind = 'profile')
select g.key as field, count(*) as people
from answers cross join lateral json_each(answers.given) g
where g.key <> 'visibility' and answers.shown -> g.key is not null
    and g.value::jsonb is distinct from (answers.shown -> g.key)::jsonb
    and not (g.value::jsonb in (select value from blank)
        and (answers.shown -> g.key)::jsonb in (select value from blank))
group by g.key
