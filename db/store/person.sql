-- name: person_document
-- reads: person person_alias person_link appointment
select p.id, p.version, p.slug, json_build_object(
    'slug', p.slug, 'given_latin', p.given_latin, 'family_latin', p.family_latin,
    'name_han', p.name_han, 'photo', p.photo,
    'other_names', coalesce((select json_agg(json_build_object('name', n.name)
            order by n.position)
        from person_alias n where n.person_id = p.id and n.stated), '[]'),
    'interests_en', p.interests_en, 'interests_zh', p.interests_zh,
    'biography_en', p.biography_en, 'biography_zh', p.biography_zh,
    'email', p.email, 'phone', p.phone, 'office', p.office, 'orcid', p.orcid,
    'links', coalesce((select json_agg(json_build_object('label', l.label, 'url', l.url)
            order by l.position)
        from person_link l where l.person_id = p.id), '[]'),
    'appointments', coalesce((select json_agg(json_build_object('role', a.role,
            'title_en', a.title_en, 'title_zh', a.title_zh, 'advisor', a.advisor,
            'starts', a.starts, 'ends', a.ends) order by a.position)
        from appointment a where a.person_id = p.id), '[]'),
    'visibility', (select json_object_agg(f, case when p.id is not null
            then level_of(p.visibility, f) end order by n)
        from unnest(array['photo', 'biography', 'email', 'phone', 'office', 'orcid'])
            with ordinality as u (f, n))) as document
from (select) one left join person p on p.id = $1::bigint

-- name: person_id_by_slug
-- reads: person
select id from person where slug = $1

-- name: person_insert
-- reads: person
-- writes: person
insert into person (slug, given_latin, family_latin, name_han, photo, interests_en, interests_zh,
    biography_en, biography_zh, email, phone, office, orcid, visibility)
select free_slug('person', d.slug), d.given_latin, d.family_latin, d.name_han, d.photo,
    d.interests_en, d.interests_zh, d.biography_en, d.biography_zh, d.email, d.phone,
    d.office, d.orcid, coalesce(d.visibility, '{}')
from jsonb_populate_record(null::person, $1::jsonb) d
returning id, slug

-- name: person_update
-- reads: person
-- writes: person
update person set version = person.version + 1, updated_at = now(),
    slug = case when d.slug = person.slug then d.slug else free_slug('person', d.slug) end,
    given_latin = d.given_latin, family_latin = d.family_latin, name_han = d.name_han,
    photo = d.photo, interests_en = d.interests_en, interests_zh = d.interests_zh,
    biography_en = d.biography_en, biography_zh = d.biography_zh, email = d.email,
    phone = d.phone, office = d.office, orcid = d.orcid,
    visibility = coalesce(d.visibility, '{}')
from jsonb_populate_record(null::person, $2::jsonb) d
where person.id = $1::bigint and person.version = $3::int
returning person.slug

-- name: person_clear
-- writes: person_alias person_link appointment
with aliases as (delete from person_alias where person_id = $1::bigint),
    links as (delete from person_link where person_id = $1::bigint),
    appointments as (delete from appointment where person_id = $1::bigint)
select $2::jsonb is not null as ready

-- The aliases are derived by person.c.
-- name: person_parts
-- writes: person_alias person_link appointment
with aliases as (
    insert into person_alias (person_id, position, name, folded, stated, weak)
    select $1::bigint, position, name, folded, coalesce(stated, false), coalesce(weak, false)
    from rows from (jsonb_to_recordset($2::jsonb -> 'aliases')
        as (name text, folded text, stated boolean, weak boolean))
        with ordinality as d (name, folded, stated, weak, position)),
links as (
    insert into person_link (person_id, position, label, url)
    select $1::bigint, position, label, url
    from rows from (jsonb_to_recordset($2::jsonb -> 'links') as (label text, url text))
        with ordinality as d (label, url, position)),
appointments as (
    insert into appointment (person_id, position, role, title_en, title_zh, advisor, advisors,
        starts, ends)
    select $1::bigint, position, role, title_en, title_zh, advisor, coalesce(advisors, '{}'),
        starts, ends
    from rows from (jsonb_to_recordset($2::jsonb -> 'appointments')
        as (role text, title_en text, title_zh text, advisor text, advisors text[],
            starts date, ends date))
        with ordinality as d (role, title_en, title_zh, advisor, advisors, starts, ends,
            position))
select 1 as done

-- Links what is printed under a name in full that is this person's alone, but for what they
-- said is not theirs.
-- name: person_recognise
-- reads: person_alias authorship authorship_claim
-- writes: authorship
update authorship a set person_id = $1::bigint
where a.person_id is null and $2::jsonb is not null and a.folded in (
    select mine.folded from person_alias mine
    where mine.person_id = $1::bigint and not mine.weak and not exists (
        select from person_alias other
        where other.folded = mine.folded and other.person_id <> mine.person_id
            and not other.weak))
    and not exists (select from authorship_claim c
        where c.publication_id = a.publication_id and c.person_id = $1::bigint)
    and not exists (select from authorship b
        where b.publication_id = a.publication_id and b.person_id = $1::bigint)

-- name: person_all
-- reads: account appointment lab person
select p.id, p.slug, p.version, p.name_latin, p.name_han, a.role, a.starts, a.ends,
    coalesce(a.current, false) as current, p.email, account.id as account_id,
    account.email as account_email, p.updated_at
from person p
left join account on account.person_id = p.id
left join lateral (
    select * from public_appointment where person_id = p.id
    order by current desc, starts desc nulls last, position limit 1) a on true
order by coalesce(lower(p.family_latin), p.name_han), p.name_latin, p.id

-- name: person_by_address
-- reads: person appointment account
select p.id, p.slug, p.version, 'email' as by,
    p.email is not null or exists (select from account where person_id = p.id) as addressed,
    coalesce((select json_agg(role order by position) from appointment
        where person_id = p.id), '[]') as roles
from person p
where p.id in (select person_id from account where email_folded = $1)
    or lower(p.email) = $1
order by p.id

-- name: person_by_name
-- reads: person person_alias appointment account
select p.id, p.slug, p.version, 'name' as by,
    p.email is not null or exists (select from account where person_id = p.id) as addressed,
    coalesce((select json_agg(role order by position) from appointment
        where person_id = p.id), '[]') as roles
from person p
where p.id in (select person_id from person_alias where folded = $1)
order by p.id

-- How the account $2 (null: a visitor) stands to the person of the slug $1.
-- name: person_standing_row
-- reads: account appointment person person_alias
select p.id, standing(p.id, $2::bigint) as standing from person p where p.slug = $1

-- What somebody of the standing $2 sees of the person of the slug $1: columns as of
-- public_person_row, and which fields are hidden from them, which shown to them but not to
-- visitors.
-- name: person_seen_row
-- reads: appointment lab person person_link
select p.slug, p.given_latin, p.family_latin, p.name_latin, p.name_han,
    case when may_see(level_of(p.visibility, 'photo'), $2) then p.photo end as photo,
    p.interests_en, p.interests_zh,
    case when may_see(level_of(p.visibility, 'biography'), $2) then p.biography_en end
        as biography_en,
    case when may_see(level_of(p.visibility, 'biography'), $2) then p.biography_zh end
        as biography_zh,
    case when may_see(level_of(p.visibility, 'email'), $2) then p.email end as email,
    case when may_see(level_of(p.visibility, 'phone'), $2) then p.phone end as phone,
    case when may_see(level_of(p.visibility, 'office'), $2) then p.office end as office,
    case when may_see(level_of(p.visibility, 'orcid'), $2) then p.orcid end as orcid,
    v.role, v.title_en, v.title_zh, coalesce(v.ends < lab_today(), false) as alumnus,
    coalesce((
        select json_agg(json_build_object('role', a.role, 'title_en', a.title_en,
            'title_zh', a.title_zh, 'from_year', extract(year from a.starts)::int,
            'to_year', extract(year from a.ends)::int)
            order by a.starts desc nulls last, a.position)
        from public_appointment a where a.person_id = p.id), '[]') as appointments,
    coalesce((
        select json_agg(json_build_object('label', l.label, 'url', l.url)
            order by l.position)
        from person_link l where l.person_id = p.id), '[]') as links,
    m.hidden, m.closed
from person p
join public_person v on v.id = p.id
cross join lateral (
    select coalesce(json_agg(json_build_object('field', f.name)) filter (
            where not may_see(level_of(p.visibility, f.name), $2)), '[]') as hidden,
        coalesce(json_agg(json_build_object('field', f.name)) filter (
            where may_see(level_of(p.visibility, f.name), $2)
                and not may_see(level_of(p.visibility, f.name), 'visitor')), '[]') as closed
    from (values ('photo', p.photo), ('biography', coalesce(p.biography_en, p.biography_zh)),
        ('email', p.email), ('phone', p.phone), ('office', p.office), ('orcid', p.orcid))
        as f (name, value)
    where f.value is not null) m
where p.slug = $1
