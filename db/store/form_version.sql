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
