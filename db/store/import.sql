-- name: import_insert
-- writes: import
insert into import (account_id, files) values ($1::bigint, $2::json) returning id

-- $2: [{number, file, line, key, fate, document, scheme, value, target_id, target_version,
-- score, first, problem, remarks, choice}]
-- name: import_insert_entries
-- writes: import_entry
insert into import_entry (import_id, number, file, line, key, fate, document, scheme, value,
    target_id, target_version, score, first, problem, remarks, choice)
select $1::bigint, e.number, e.file, e.line, coalesce(e.key, ''), e.fate, e.document, e.scheme,
    e.value, e.target_id, e.target_version, e.score, e.first, e.problem,
    coalesce(e.remarks, '[]'), coalesce(e.choice, 'skip')
from json_populate_recordset(null::import_entry, $2::json) e

-- name: import_list_rows
-- reads: import import_entry
select i.id, i.state, i.created_at, i.applied_at, i.files,
    (select count(*) from import_entry e where e.import_id = i.id)::int as count
from import i where i.account_id = $1::bigint and i.state <> 'discarded'
order by i.id desc limit 50

-- name: import_show_row
-- reads: import import_entry
select i.id, i.state, i.created_at, i.applied_at, i.files,
    coalesce((select json_object_agg(fate, n) from (select fate, count(*) as n
        from import_entry where import_id = i.id group by fate) f), '{}') as fates,
    coalesce((select json_object_agg(outcome, n) from (select outcome, count(*) as n
        from import_entry where import_id = i.id and outcome is not null
        group by outcome) o), '{}') as outcomes,
    (select count(*) from import_entry where import_id = i.id)::int as count,
    (select count(*) from import_entry where import_id = i.id and outcome is null
        and choice <> 'skip')::int as chosen
from import i
where i.id = $1::bigint and i.account_id = $2::bigint and i.state <> 'discarded'

-- name: import_entry_rows
-- reads: import_entry publication
select e.number, e.file, e.line, e.key, e.fate, e.document, e.scheme, e.value, e.target_id,
    e.target_version, e.score, e.first, e.problem, e.remarks, e.choice, e.outcome, e.slug,
    w.slug as target_slug, w.title as target_title, w.year as target_year
from import_entry e left join publication w on w.id = e.target_id
where e.import_id = $1::bigint and ($2::text is null or e.fate = $2) and e.number > $3::int
order by e.number limit $4::int

-- $2 [{number, choice}]; of entries that can't be chosen nothing is taken.
-- name: import_choose_rows
-- writes: import_entry
update import_entry e set choice = c.choice
from jsonb_to_recordset($2::jsonb) as c (number int, choice text)
where e.import_id = $1::bigint and e.number = c.number and e.outcome is null
    and e.document is not null and c.choice in ('add', 'update', 'skip')
    and (c.choice <> 'update' or e.target_id is not null)

-- Nobody else applies it meanwhile.
-- name: import_lock
-- reads: import
select id, state from import where id = $1::bigint for update

-- name: import_settle_entries
-- writes: import_entry
update import_entry e set outcome = s.outcome, slug = s.slug, problem = coalesce(s.problem,
    e.problem)
from json_to_recordset($2::json) as s (number int, outcome text, slug text, problem json)
where e.import_id = $1::bigint and e.number = s.number

-- name: import_set_state
-- writes: import
update import set state = $2, applied_at = case when $2 = 'applied' then now() end
where id = $1::bigint

-- name: import_fill_entry
-- writes: import_entry
update import_entry e set fate = s.fate, document = s.document, target_id = s.target_id,
    target_version = s.target_version, score = s.score, first = s.first, problem = s.problem,
    choice = coalesce(s.choice, 'skip')
from json_populate_record(null::import_entry, $3::json) s
where e.import_id = $1::bigint and e.number = $2::int and e.fate in ('waiting', 'failed')

-- name: import_next_number
-- reads: import_entry
select coalesce(max(number), 0) + 1 as number from import_entry where import_id = $1::bigint

-- What nobody came back for in a month goes.
-- name: import_sweep_old
-- writes: import
delete from import where created_at < now() - interval '30 days'

-- name: import_delete_entry
-- writes: import_entry
delete from import_entry where import_id = $1::bigint and number = $2::int

-- name: import_failed_again
-- writes: import_entry
update import_entry set fate = 'waiting', problem = null
where import_id = $1::bigint and fate = 'failed' returning number

-- name: import_proposed_works
-- reads: change
select document ->> 'title' as title from change
where author_id = $1::bigint and entity = 'publication' and target_id is null
    and state in ('draft', 'submitted', 'returned')

-- name: import_names
-- reads: account person_alias
select coalesce(json_object_agg(n.folded, true), '{}') as names
from account a join person_alias n on n.person_id = a.person_id
where a.id = $1::bigint and not a.admin
