-- What was sent in last: the open change when it was, else the approved answer; with
-- $2 only what was approved. $1: ids of invitations, as a JSON array, whose order stays.
-- name: export_answer_rows
-- reads: answer change
select i.id, case when s.id is not null then s.document when a.version > 1 then a.document
        end as document,
    case when s.id is not null then s.state when a.version > 1 then 'approved' end as source
from json_array_elements_text($1::json) with ordinality as wanted(id, place)
cross join lateral (select wanted.id::bigint as id) i
left join answer a on a.id = i.id
left join lateral (select id, document, state from change
    where entity = 'answer' and target_id = i.id and state in ('submitted', 'returned')
        and not $2::boolean
    order by id desc limit 1) s on true
order by wanted.place

-- Everybody in the order of their ids, from behind $1, $2 at most.
-- name: export_person_rows
-- reads: account person
select p.id, p.slug, a.email as account_email, a.language as account_language
from person p left join account a on a.person_id = p.id
where p.id > $1::bigint
order by p.id limit $2::int
