-- name: lab_document
-- reads: lab
select l.id, l.version, null::text as slug, json_build_object(
    'name_en', l.name_en, 'name_zh', l.name_zh, 'sentence_en', l.sentence_en,
    'sentence_zh', l.sentence_zh, 'about_en', l.about_en, 'about_zh', l.about_zh,
    'affiliation_en', l.affiliation_en, 'affiliation_zh', l.affiliation_zh,
    'address_en', l.address_en, 'address_zh', l.address_zh, 'email', l.email,
    'time_zone', l.time_zone) as document
from (select) one left join lab l on l.id = $1::bigint

-- A zone that the database does not know would fail every page that asks for today.
-- name: lab_check
select 'time_zone' as field, 'time_zone' as code
from (select $1::bigint as id, $2::jsonb ->> 'time_zone' as zone) d
where d.zone is not null
    and not exists (select from pg_timezone_names where lower(name) = lower(d.zone))

-- name: lab_update
-- reads: lab
-- writes: lab
update lab set version = lab.version + 1, name_en = d.name_en, name_zh = d.name_zh,
    sentence_en = d.sentence_en, sentence_zh = d.sentence_zh, about_en = d.about_en,
    about_zh = d.about_zh, affiliation_en = d.affiliation_en,
    affiliation_zh = d.affiliation_zh, address_en = d.address_en, address_zh = d.address_zh,
    email = d.email, time_zone = coalesce(d.time_zone, 'Asia/Shanghai')
from jsonb_populate_record(null::lab, $2::jsonb) d
where lab.id = $1::bigint and lab.version = $3::int
returning null::text as slug

-- name: lab_ensure_row
-- writes: lab
insert into lab (name_en, name_zh) values ('Our lab', '我们的实验室') on conflict do nothing

-- name: lab_is_empty
-- reads: person publication account
select not exists (select from person) and not exists (select from publication)
    and not exists (select from account) as empty

-- What the clock on the lab's wall says at each of the times of a page, and how far that
-- is from UTC, in minutes.
-- name: lab_clock
-- reads: lab
select json_agg(json_build_object(
    'minute', to_char(t.at at time zone z.zone, 'YYYY-MM-DD HH24:MI'),
    'offset', (extract(epoch from (t.at at time zone z.zone) - (t.at at time zone 'UTC'))
        / 60)::int) order by t.ordinality) as times
from (select coalesce((select time_zone from lab), 'UTC') as zone) z,
    lateral (select value::timestamptz as at, ordinality
        from json_array_elements_text($1::json) with ordinality) t
