-- Without a row of its own an answer is the empty document, version 1.
-- name: answer_document
-- reads: invitation answer
select i.id, case when i.id is not null then coalesce(a.version, 1) end as version,
    null::text as slug, coalesce(a.document, '{}') as document
from (select) one
left join invitation i on i.id = $1::bigint
left join answer a on a.id = i.id

-- name: answer_update
-- writes: answer
insert into answer (id, version, document) values ($1::bigint, $3::int + 1, $2::json)
on conflict (id) do update set version = excluded.version, document = excluded.document,
    updated_at = now()
    where answer.version = $3::int
returning null::text as slug

-- What was asked again has been answered, unless that was asked since.
-- name: answer_settle
-- writes: invitation
update invitation set asked = null, complete = 100
where id = $1::bigint and $2::json is not null
    and (asked is null or state not in ('invited', 'opened'))

-- name: answer_profile
-- reads: invitation collection answer account
select i.account_id, a.document, a.person_version,
    case when c.kind = 'profile' then m.person_id end as person_id,
    case when c.kind = 'publications' then m.person_id end as works_of
from invitation i
join collection c on c.id = i.collection_id
join account m on m.id = i.account_id
join answer a on a.id = i.id
where i.id = $1::bigint

-- The works that a list of publications in an answer, $1, says are and are not its author's.
-- name: answer_verdicts
-- reads: publication
select coalesce(json_agg(w.id) filter (where d.verdict in ('right', 'wrong')), '[]') as mine,
    coalesce(json_agg(w.id) filter (where d.verdict = 'not_mine'), '[]') as not_mine
from jsonb_to_recordset($1::jsonb) as d (slug text, verdict text)
join publication w on w.slug = d.slug and w.merged_into is null

-- Everything that the member's pages need of one invitation.
-- name: answer_state_row
-- reads: invitation collection lab answer change answer_step account person
select i.id, i.collection_id, i.state, i.complete, i.until, i.accepts, i.pilot,
    i.form_version_id, i.asked, i.submitted_at, i.decided_at, c.state as collection_state,
    c.kind, c.title_en, c.title_zh, c.copied_from,
    lab_zone() as time_zone, coalesce(a.version, 1) as version,
    a.document as answer, a.person_version, h.id as change_id,
    h.version as change_version, h.state as change_state, h.document as draft, h.comment, h.comments,
    case when h.id is not null then h.updated_at end as saved_at,
    (select coalesce(json_agg(distinct section), '[]') from answer_step s
        where s.invitation_id = i.id and s.form_version_id = i.form_version_id
            and s.kind = 'saved') as saved,
    (select coalesce(json_agg(distinct section), '[]') from answer_step s
        where s.invitation_id = i.id and s.form_version_id = i.form_version_id
            and s.kind = 'saved' and s.at > h.decided_at) as corrected,
    case when c.kind <> 'custom' then m.person_id end as person_id,
    case when c.kind = 'profile' then p.version end as person_now
from invitation_now i
join collection c on c.id = i.collection_id
join account m on m.id = i.account_id
left join person p on p.id = m.person_id
left join answer a on a.id = i.id
left join change h on h.author_id = i.account_id and h.entity = 'answer'
    and h.target_id = i.id and h.state in ('draft', 'submitted', 'returned')
where i.collection_id = $1::bigint and i.account_id = $2::bigint

-- name: answer_asked_list
-- reads: invitation collection lab
select i.collection_id, i.state, i.complete, i.until, i.accepts, i.lacking,
    i.asked is not null as again, c.title_en, c.title_zh,
    lab_zone() as time_zone
from invitation_now i join collection c on c.id = i.collection_id
where i.account_id = $1::bigint and i.state <> 'withdrawn'
    and c.state in ('open', 'closing')
order by i.lacking desc, i.until nulls last, i.collection_id

-- name: answer_words_row
-- reads: collection
select words_en, words_zh, thanks_en, thanks_zh from collection where id = $1::bigint

-- name: answer_previous_row
-- reads: invitation answer
select a.document from invitation i join answer a on a.id = i.id and a.version > 1
where i.collection_id = $1::bigint and i.account_id = $2::bigint

-- name: answer_open
-- writes: invitation
update invitation set state = 'opened', opened_at = coalesce(opened_at, now())
where id = $1::bigint and state = 'invited'

-- name: answer_base
-- reads: invitation
-- writes: answer
insert into answer (id, person_version) select id, $2::int from invitation
where id = $1::bigint
on conflict (id) do update set person_version = excluded.person_version
    where answer.person_version is distinct from excluded.person_version

-- name: answer_complete
-- writes: invitation
update invitation set complete = $2::int
where id = $1::bigint and complete <> $2::int

-- Sent in again without a difference: what was approved holds.
-- name: answer_hold
-- writes: invitation
update invitation set state = 'approved', asked = null, complete = 100, decided_at = now()
where id = $1::bigint and state in ('invited', 'opened', 'started', 'returned')

-- A draft as it is typed, in one statement.
-- name: answer_keep_draft
-- reads: change invitation collection lab
-- writes: change invitation
with c as (
    update change set version = version + 1, document = $4::json, updated_at = now()
    where id = $1::bigint and author_id = $2::bigint and version = $3::int
        and entity = 'answer' and state in ('draft', 'returned')
        and (select accepts from invitation_now n where n.id = change.target_id)
    returning target_id, version, updated_at),
i as (
    update invitation set complete = $5::int from c
    where invitation.id = c.target_id and invitation.complete <> $5::int)
select version, updated_at as saved_at from c

-- After some thousands only what the task list needs: which sections were saved, once.
-- name: answer_step_insert
-- reads: answer_step
-- writes: answer_step
insert into answer_step (invitation_id, form_version_id, section, kind, field, code)
select $1::bigint, $2::bigint, $3::int, $4, $5, $6
where (select count(*) from (select from answer_step where invitation_id = $1::bigint
        limit 5000) s) < 5000
    or $4 = 'saved' and not exists (select from answer_step
        where invitation_id = $1::bigint and form_version_id = $2::bigint
            and section = $3::int and kind = 'saved')

-- name: answer_feedback_list
-- reads: feedback
select section, field, unclear, comment from feedback
where invitation_id = $1::bigint and form_version_id = $2::bigint

-- name: answer_feedback_put
-- writes: feedback
insert into feedback (invitation_id, form_version_id, section, field, unclear, comment)
values ($1::bigint, $2::bigint, $3::int, $4, $5::boolean, $6)
on conflict (invitation_id, form_version_id, section) do update set
    field = excluded.field, unclear = excluded.unclear, comment = excluded.comment,
    updated_at = now()
