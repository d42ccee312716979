-- name: form_version_definition
-- reads: form_version
select id, collection_id, number, definition, published_at
from form_version where id = $1::bigint

-- name: form_version_of_invitation
-- reads: invitation
select form_version_id as id from invitation where id = $1::bigint

-- name: form_version_all
-- reads: form_version account wave invitation
select v.id, v.number, v.definition, v.published_at, a.email as published_by_email,
    (select count(*) from wave w where w.form_version_id = v.id) as waves,
    (select count(*) from invitation i where i.form_version_id = v.id) as people
from form_version v left join account a on a.id = v.published_by
where v.collection_id = $1::bigint
order by v.number desc

-- name: form_draft_row
-- reads: form_draft
select version, definition, until from form_draft
where collection_id = $1::bigint and version = $2::int

-- Fields that the form had in one of its last drafts and has no more, each as it was last.
-- name: form_draft_removed
-- reads: form_draft collection
select distinct on (f.field ->> 'name') f.field ->> 'name' as name, d.version,
    f.field -> 'label' ->> 'en' as label_en, f.field -> 'label' ->> 'zh' as label_zh
from form_draft d
cross join lateral json_array_elements(d.definition -> 'sections') s (section)
cross join lateral json_array_elements(s.section -> 'fields') f (field)
where d.collection_id = $1::bigint and not exists (
    select from collection c
    cross join lateral json_array_elements(c.definition -> 'sections') s2 (section)
    cross join lateral json_array_elements(s2.section -> 'fields') f2 (field)
    where c.id = $1::bigint and f2.field ->> 'name' = f.field ->> 'name')
order by f.field ->> 'name', d.version desc
limit 50
