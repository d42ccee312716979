-- name: change_own_open
-- reads: change
select id, version, state, base_version, document from change
where author_id = $1::bigint and entity = $2 and target_id = $3::bigint
    and state in ('draft', 'submitted', 'returned')
for update

-- name: change_own_by_id
-- reads: change
select id, version, state, base_version, document from change
where id = $1::bigint and author_id = $2::bigint and entity = $3 and target_id is null
for update

-- name: change_insert
-- writes: change
insert into change (entity, target_id, base_version, document, state, source, author_id,
    submitted_at)
values ($1, $2::bigint, $3::int, $4::json, $5, $6, $7::bigint,
    case when $5 = 'submitted' then now() end)
returning id, version

-- name: change_replace
-- writes: change
update change set version = version + 1, base_version = $2::int, document = $3::json,
    state = $4, source = $5, updated_at = now(),
    decided_at = case when $4 = 'returned' then decided_at end,
    decided_by = case when $4 = 'returned' then decided_by end,
    submitted_at = case when $4 = 'submitted' then now() end
where id = $1::bigint
returning id, version

-- name: change_lock
-- reads: change
select id, version, entity, target_id, base_version, document, state, source, author_id
from change where id = $1::bigint
for update

-- An open change given up or sent back.
-- name: change_settle
-- writes: change
update change set version = version + 1, state = $2, updated_at = now(),
    comment = coalesce($3, comment), decided_by = $4::bigint,
    comments = case when $2 = 'returned' then $5::json else comments end,
    decided_at = case when $2 = 'returned' then now() end
where id = $1::bigint

-- name: change_apply_decided
-- writes: change revision event
with c as (
    update change set version = version + 1, state = 'approved', updated_at = now(),
        target_id = $2::bigint, document = $4::json, decided_by = $5::bigint,
        decided_at = now()
    where id = $1::bigint returning id, entity),
r as (
    insert into revision (entity, target_id, version, document, change_id)
    select entity, $2::bigint, $3::int, $4::json, id from c)
insert into event (account_id, actor, action, entity, target_id, change_id, request_id, peer)
select $5::bigint, $6, 'change.approved', entity, $2::bigint, id, $7, $8 from c
returning change_id as id

-- The same for one that is proposed and approved in one breath.
-- name: change_apply_at_once
-- writes: change revision event
with c as (
    insert into change (entity, target_id, base_version, document, state, source, author_id,
        decided_by, submitted_at, decided_at)
    values ($1, $2::bigint, $8::int, $9::json, 'approved', $10, $11::bigint, $5::bigint,
        now(), now())
    returning id, entity),
r as (
    insert into revision (entity, target_id, version, document, change_id)
    select entity, $2::bigint, $3::int, $4::json, id from c)
insert into event (account_id, actor, action, entity, target_id, change_id, request_id, peer)
select $5::bigint, $6, 'change.approved', entity, $2::bigint, id, $7, $12 from c
returning change_id as id

-- name: change_revision
-- reads: revision
select document from revision
where entity = $1 and target_id = $2::bigint and version = $3::int

-- name: change_revision_list
-- reads: revision change account person event
select r.version, r.document, r.change_id, c.source, c.comment, a.email as author_email,
    p.name_latin as author_name_latin, p.name_han as author_name_han,
    d.email as decided_by_email, q.name_latin as decided_by_name_latin,
    q.name_han as decided_by_name_han, c.author_id is distinct from c.decided_by as reviewed,
    c.proposed is not null as edited, c.submitted_at, r.created_at, e.peer, s.peer as sent_peer
from revision r
join change c on c.id = r.change_id
left join account a on a.id = c.author_id
left join person p on p.id = a.person_id
left join account d on d.id = c.decided_by
left join person q on q.id = d.person_id
left join lateral (
    select peer from event where entity = r.entity and target_id = r.target_id
        and change_id = c.id and action = 'change.approved'
    order by id desc limit 1) e on true
left join lateral (
    select peer from event where entity = r.entity and target_id = r.target_id
        and change_id = c.id and action = 'change.submitted'
    order by id desc limit 1) s on true
where r.entity = $1 and r.target_id = $2::bigint
order by r.version desc

-- The rows of the lists: all submitted ($1 null, $2 null), one account's ($1), one ($2);
-- each way by an index.
-- name: change_rows
-- reads: change account person invitation collection
select c.id, c.version, c.entity, c.target_id, c.document ->> 'slug' as slug,
    coalesce(n.title_en, c.document ->> 'title', c.document ->> 'title_en',
        nullif(trim(coalesce(c.document ->> 'given_latin', '') || ' '
            || coalesce(c.document ->> 'family_latin', '')), ''),
        c.document ->> 'name_han', c.document ->> 'name_en') as title,
    case when n.id is not null then n.title_zh
        else coalesce(c.document ->> 'name_han', c.document ->> 'name_zh',
        c.document ->> 'title_zh') end as title_other, n.id as collection_id,
    c.state, c.source, c.comment, c.author_id, a.email as author_email,
    p.name_latin as author_name_latin, p.name_han as author_name_han,
    case when a.id is not null then json_build_object('email', a.email,
        'name_latin', p.name_latin, 'name_han', p.name_han) end as author,
    case when n.id is not null then json_build_object('title_en', n.title_en,
        'title_zh', n.title_zh) end as collection,
    d.email as decided_by_email, q.name_latin as decided_by_name_latin,
    q.name_han as decided_by_name_han, c.comments, c.proposed is not null as edited,
    c.reviewer_id, v.email as reviewer_email, w.name_latin as reviewer_name_latin,
    w.name_han as reviewer_name_han, c.base_version, c.created_at, c.updated_at,
    c.submitted_at, c.decided_at
from (
    select id as chosen from change where id = $2::bigint
    union all
    select id from change where author_id = $1::bigint
    union all
    select id from change
    where state = 'submitted' and $1::bigint is null and $2::bigint is null) x
join change c on c.id = x.chosen
left join account a on a.id = c.author_id
left join person p on p.id = a.person_id
left join account d on d.id = c.decided_by
left join invitation i on c.entity = 'answer' and i.id = c.target_id
left join collection n on n.id = i.collection_id
left join person q on q.id = d.person_id
left join account v on v.id = c.reviewer_id
left join person w on w.id = v.person_id
order by case when $1::bigint is null then c.submitted_at end,
    c.state in ('draft', 'submitted', 'returned') desc, c.updated_at desc, c.id desc
limit case when $1::bigint is null then 1000 else 100 end

-- What the profile said that the answer $1, its invitation's first, was given to; none for
-- another collection or a later answer.
-- name: change_profile_before
-- reads: change invitation collection account answer revision
select r.document
from change c
join invitation i on i.id = c.target_id
join collection n on n.id = i.collection_id and n.kind = 'profile'
join account a on a.id = i.account_id
left join answer w on w.id = i.id
join revision r on r.entity = 'person' and r.target_id = a.person_id
    and r.version = case when c.state in ('draft', 'submitted', 'returned')
        then w.person_version
        else (select max(version) from revision where entity = 'person'
            and target_id = a.person_id and created_at <= c.submitted_at) end
where c.id = $1::bigint and c.entity = 'answer' and c.base_version = 1

-- name: change_document
-- reads: change
select document, proposed from change where id = $1::bigint

-- name: change_open_id
-- reads: change
select id from change
where author_id = $1::bigint and entity = $2 and target_id = $3::bigint
    and state in ('draft', 'submitted', 'returned')

-- The fields of the document $4 that name a file which the account $1 (null: the command
-- line) may not use. The photo of one's own person one may, whoever uploaded it.
-- name: change_foreign_files
-- reads: account change file person
select d.field, d.code
from (
    select key as field, 'photo_unknown' as code, value from json_each_text($4::json)
    union all
    select 'files.' || position - 1 || '.file', 'document_unknown', row ->> 'file'
    from json_array_elements(case when json_typeof($4::json -> 'files') = 'array'
        then $4::json -> 'files' else '[]' end) with ordinality as f (row, position)) d
where d.value ~ '^(photo|file)-[A-Za-z0-9_-]{43}$' and not exists (
    select from file f where f.token = d.value and (
        f.account_id = $1::bigint
        or coalesce((select admin from account where id = $1::bigint), $1::bigint is null)
        or exists (select from person p join account a on a.person_id = p.id
            where a.id = $1::bigint and p.photo = d.value)
        or exists (
            select from change c where c.entity = $2 and c.target_id = $3::bigint
                and strpos(c.document::text, '"' || d.value || '"') > 0)))

-- name: change_keep_files
-- writes: file
update file set kept = true
where not kept and token in (
    select m[1] from regexp_matches($1, '"((?:photo|file)-[A-Za-z0-9_-]{43})"', 'g') m)

-- The reviewer altered it on approving: what was sent in stays beside what was approved.
-- name: change_keep_proposed
-- writes: change
update change set proposed = $2::json, base_version = $3::int where id = $1::bigint

-- In review by $2; $3 is who had it in review when that was seen.
-- name: change_take
-- writes: change
update change set reviewer_id = $2::bigint
where id = $1::bigint and state = 'submitted' and reviewer_id is not distinct from $3::bigint
returning id, entity, target_id

-- name: change_give_up
-- writes: change
update change set reviewer_id = null
where id = $1::bigint and reviewer_id = $2::bigint
returning id, entity, target_id

-- change_apply_at_once of many new ones: $1 the entity, $2 [{target, before, after}], documents
-- as they were proposed and as they stand now.
-- name: change_apply_many
-- writes: change revision event
with d as materialized (
    select * from json_to_recordset($2::json) as d (target bigint, before json, after json)),
c as (
    insert into change (entity, target_id, document, state, source, author_id, decided_by,
        submitted_at, decided_at)
    select $1, d.target, d.before, 'approved', $3, $4::bigint, $4::bigint, now(), now() from d
    returning id, target_id),
r as (
    insert into revision (entity, target_id, version, document, change_id)
    select $1, d.target, 1, d.after, c.id from d join c on c.target_id = d.target),
e as (
    insert into event (account_id, actor, action, entity, target_id, change_id, request_id,
        peer)
    select $4::bigint, $5, 'change.approved', $1, c.target_id, c.id, $6, $7 from c)
select id, target_id from c
