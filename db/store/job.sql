-- name: job_insert
-- writes: job
insert into job (kind, subject, account_id) values ($1, $2::jsonb, $3::bigint) returning id

-- The lab's own job of looking after links, if it isn't there. A start is busy enough.
-- name: job_insert_links
-- writes: job
insert into job (kind, due_at) values ('links', now() + interval '15 minutes')
on conflict do nothing

-- name: job_take_row
-- writes: job
with due as (
    select id from job
    where state in ('waiting', 'running') and due_at <= now()
        and (state = 'waiting' or leased_until < now())
    order by due_at, id limit 1 for update skip locked)
update job j set state = 'running', attempts = j.attempts + 1,
    leased_until = now() + $1::int * interval '1 second'
from due where j.id = due.id
returning j.id, j.kind, j.subject, j.account_id, j.attempts

-- name: job_next_due
-- reads: job
select greatest(0, ceil(extract(epoch from min(case when state = 'running' then leased_until
    else due_at end) - now()) * 1000))::bigint as ms
from job where state in ('waiting', 'running')

-- $2: done, failed or waiting; then it is due in $4 seconds, and $5: the try does not count.
-- name: job_settle_row
-- writes: job
update job set state = $2, error = $3, leased_until = null,
    due_at = now() + coalesce($4::int, 0) * interval '1 second',
    attempts = attempts - case when $5::boolean then 1 else 0 end,
    ended_at = case when $2 in ('done', 'failed') then now() end
where id = $1::bigint

-- What ended a month ago is forgotten.
-- name: job_sweep_ended
-- writes: job
delete from job where ended_at < now() - interval '30 days'

-- name: job_list
-- reads: job account
select j.id, j.kind, j.subject, j.state, j.attempts, j.error, j.due_at, j.created_at,
    j.ended_at, a.email
from job j left join account a on a.id = j.account_id
where j.kind <> 'links' or j.state in ('waiting', 'running', 'failed')
order by j.state in ('done', 'failed'), coalesce(j.ended_at, j.due_at) desc, j.id desc
limit 200

-- name: job_again
-- writes: job
update job set state = 'waiting', attempts = 0, due_at = now(), error = null, ended_at = null
where id = $1::bigint and state = 'failed' and ($2::bigint is null or account_id = $2::bigint)
