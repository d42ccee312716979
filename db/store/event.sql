-- name: event_insert
-- writes: event
insert into event (account_id, actor, action, entity, target_id, change_id, request_id,
    detail, peer)
values ($1::bigint, $2, $3, $4, $5::bigint, $6::bigint, $7, $8::jsonb, $9)

-- name: event_rows
-- reads: event
select id, at, account_id, actor, action, entity, target_id, change_id, request_id, detail,
    peer
from event
where ($1::bigint is null or id < $1::bigint)
order by id desc limit $2::int

-- name: event_rows_of
-- reads: event
select id, at, account_id, actor, action, entity, target_id, change_id, request_id, detail,
    peer
from event
where entity = $1 and target_id = $2::bigint
order by id desc limit $3::int
