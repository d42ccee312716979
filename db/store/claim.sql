-- A person's works in one of three lists: "mine" (confirmed), "confirm" (linked by name, or
-- offered), "not_mine"; and how many each has.
-- name: claim_rows
-- reads: publication authorship authorship_claim person_alias person
with own as materialized (
    select a.publication_id, a.position, a.name,
        case when a.confirmed_at is null then 'confirm' else 'mine' end as list,
        false as weak, false as offered
    from authorship a join publication w on w.id = a.publication_id
    where a.person_id = $1::bigint and w.merged_into is null
    union all
    select publication_id, position, name, 'confirm', weak, true
    from (select distinct on (publication_id) * from authorship_offered
        where person_id = $1::bigint order by publication_id, weak, position) o
    union all
    select c.publication_id, 0, coalesce((select a.name from authorship a
            where a.publication_id = c.publication_id and a.folded = c.folded
            order by a.position limit 1), ''), 'not_mine', false, false
    from authorship_claim c join publication w on w.id = c.publication_id
    where c.person_id = $1::bigint and c.verdict = 'not_mine' and w.merged_into is null
), shown as (
    select o.*, w.slug, w.title, w.kind, w.venue, w.year, w.issued
    from own o join publication w on w.id = o.publication_id
    where o.list = $2
    order by w.issued desc, w.id desc
    limit $3::int offset $4::bigint
)
select (select count(*) from own where list = 'mine')::int as mine,
    (select count(*) from own where list = 'confirm')::int as confirm,
    (select count(*) from own where list = 'not_mine')::int as not_mine,
    coalesce((select json_agg(json_build_object('id', s.publication_id, 'slug', s.slug,
        'title', s.title, 'kind', s.kind, 'venue', s.venue, 'year', s.year, 'name', s.name,
        'weak', s.weak, 'offered', s.offered,
        'authors', (select string_agg(a.name, ', ' order by a.position) from authorship a
            where a.publication_id = s.publication_id and a.position <= 20),
        'namesakes', (select coalesce(json_agg(json_build_object('name_latin', p.name_latin,
                'name_han', p.name_han) order by p.id), '[]')
            from person p where s.list = 'confirm' and p.id <> $1::bigint and p.id in (
                select n.person_id from authorship a join person_alias n
                    on n.folded = a.folded
                where a.publication_id = s.publication_id and a.position = s.position)))
        order by s.issued desc, s.publication_id desc) from shown s), '[]') as rows

-- How many wait to be confirmed.
-- name: claim_waiting_count
-- reads: publication authorship authorship_claim person_alias
select ((select count(*) from authorship a join publication w on w.id = a.publication_id
        where a.person_id = $1::bigint and a.confirmed_at is null and w.merged_into is null)
    + (select count(distinct publication_id) from authorship_offered
        where person_id = $1::bigint))::int as waiting

-- The person $1 says that the works $2 are theirs; $3 is their account. What another has
-- confirmed, or an admin has linked, stays that person's.
-- name: claim_mine
-- reads: authorship authorship_claim person_alias publication
-- writes: authorship authorship_claim
with own as (
    select distinct on (a.publication_id) a.publication_id, a.position, a.folded,
        a.person_id is not distinct from $1::bigint as was_linked
    from authorship a join publication w on w.id = a.publication_id and w.merged_into is null
    where a.publication_id in (select value::bigint from jsonb_array_elements_text($2::jsonb))
        and (a.person_id = $1::bigint or exists (select from person_alias n
            where n.folded = a.folded and n.person_id = $1::bigint))
    order by a.publication_id, (a.person_id is not distinct from $1::bigint) desc, a.position
), linked as (
    update authorship a set person_id = $1::bigint, confirmed_at = now()
    from own o
    where a.publication_id = o.publication_id and a.position = o.position
        and a.folded = o.folded
        and (a.person_id is null or a.person_id = $1::bigint or (a.confirmed_at is null
            and not exists (select from authorship_claim c
                where c.publication_id = a.publication_id and c.person_id = a.person_id)))
    returning a.publication_id, o.folded, o.was_linked
)
insert into authorship_claim as c (publication_id, person_id, verdict, folded, was_linked,
    account_id)
select publication_id, $1::bigint, 'mine', folded, was_linked, $3::bigint from linked
on conflict (publication_id, person_id) do update set verdict = 'mine', at = now(),
    folded = excluded.folded, was_linked = c.was_linked or excluded.was_linked,
    account_id = excluded.account_id
returning publication_id as id

-- ... that they are not.
-- name: claim_not_mine
-- reads: authorship authorship_claim person_alias publication
-- writes: authorship authorship_claim
with own as (
    select distinct on (a.publication_id) a.publication_id, a.folded,
        a.person_id is not distinct from $1::bigint as was_linked
    from authorship a join publication w on w.id = a.publication_id and w.merged_into is null
    where a.publication_id in (select value::bigint from jsonb_array_elements_text($2::jsonb))
        and (a.person_id = $1::bigint or exists (select from person_alias n
            where n.folded = a.folded and n.person_id = $1::bigint))
    order by a.publication_id, (a.person_id is not distinct from $1::bigint) desc, a.position
), unlinked as (
    update authorship a set person_id = null, confirmed_at = null
    from own o where a.publication_id = o.publication_id and a.person_id = $1::bigint
)
insert into authorship_claim as c (publication_id, person_id, verdict, folded, was_linked,
    account_id)
select publication_id, $1::bigint, 'not_mine', folded, was_linked, $3::bigint from own
on conflict (publication_id, person_id) do update set verdict = 'not_mine', at = now(),
    folded = excluded.folded, was_linked = c.was_linked or excluded.was_linked,
    account_id = excluded.account_id
returning publication_id as id

-- ... nothing of it: as it was before they spoke.
-- name: claim_undo
-- reads: authorship authorship_claim
-- writes: authorship authorship_claim
with undone as (
    delete from authorship_claim where person_id = $1::bigint
        and publication_id in (select value::bigint from jsonb_array_elements_text($2::jsonb))
        and (verdict <> 'linked' or $3::bigint is null) -- the command line may all
    returning publication_id, verdict, folded, was_linked
), loosed as (
    update authorship a set confirmed_at = null,
        person_id = case when u.was_linked then a.person_id end
    from undone u where a.publication_id = u.publication_id and u.verdict = 'mine'
        and a.person_id = $1::bigint
), linked as (
    update authorship a set person_id = $1::bigint
    from (select distinct on (u.publication_id) b.publication_id, b.position
        from undone u join authorship b on b.publication_id = u.publication_id
            and b.folded = u.folded and b.person_id is null
        where u.verdict = 'not_mine' and u.was_linked
        order by u.publication_id, b.position) f
    where a.publication_id = f.publication_id and a.position = f.position
)
select publication_id as id from undone

-- Authors who may be somebody here and are linked to nobody, newest works first, with all
-- whom their name may mean: {publication, position, name, people[{slug, weak}]}.
-- name: claim_open_rows
-- reads: publication authorship authorship_claim person_alias person
with open as (
    select o.publication_id, o.position, min(o.name) as name, w.slug, w.title, w.year,
        w.venue, w.issued, json_agg(json_build_object('id', p.id, 'slug', p.slug,
            'name_latin', p.name_latin, 'name_han', p.name_han, 'weak', o.weak,
            'work', o.publication_id, 'printed', o.name) order by o.weak, p.id) as people
    from authorship_offered o
    join authorship a on a.publication_id = o.publication_id and a.position = o.position
        and a.person_id is null
    join publication w on w.id = o.publication_id
    join person p on p.id = o.person_id
    group by o.publication_id, o.position, w.slug, w.title, w.year, w.venue, w.issued
)
select (select count(*) from open)::int as total, coalesce((
    select json_agg(r) from (select publication_id as id, position, name, slug, title, year,
            venue, people
        from open order by issued desc, publication_id desc, position
        limit $1::int offset $2::bigint) r), '[]') as rows

-- An admin links the author $2 of the work $1, whose name was $5, to the person $3.
-- name: claim_link
-- reads: authorship authorship_claim
-- writes: authorship authorship_claim
with linked as (
    update authorship a set person_id = $3::bigint, confirmed_at = null
    where a.publication_id = $1::bigint and a.position = $2::int and a.name = $5
        and a.person_id is null and not exists (select from authorship b
            where b.publication_id = a.publication_id and b.person_id = $3::bigint)
    returning a.publication_id, a.folded
)
insert into authorship_claim as c (publication_id, person_id, verdict, folded, was_linked,
    account_id)
select publication_id, $3::bigint, 'linked', folded, false, $4::bigint from linked
on conflict (publication_id, person_id) do update set verdict = 'linked', at = now(),
    folded = excluded.folded, account_id = excluded.account_id
returning publication_id as id

-- ... or says that the person is not meant.
-- name: claim_unlink
-- reads: authorship
-- writes: authorship authorship_claim
with unlinked as (
    update authorship set person_id = null, confirmed_at = null
    where publication_id = $1::bigint and position = $2::int and name = $5
        and person_id = $3::bigint
)
insert into authorship_claim as c (publication_id, person_id, verdict, folded, was_linked,
    account_id)
select publication_id, $3::bigint, 'not_mine', folded, person_id is not distinct
    from $3::bigint, $4::bigint
from authorship where publication_id = $1::bigint and position = $2::int and name = $5
    and (person_id is null or person_id = $3::bigint)
on conflict (publication_id, person_id) do update set verdict = 'not_mine', at = now(),
    folded = excluded.folded, account_id = excluded.account_id
returning publication_id as id

-- Takes back what an admin said, or a person.
-- name: claim_forget
-- reads: authorship_claim
-- writes: authorship authorship_claim
with gone as (
    delete from authorship_claim
    where publication_id = $1::bigint and person_id = $2::bigint
    returning publication_id, person_id, verdict, was_linked
), loosed as (
    update authorship a set confirmed_at = null,
        person_id = case when g.was_linked then a.person_id end
    from gone g where a.publication_id = g.publication_id and a.person_id = g.person_id
        and g.verdict <> 'not_mine'
)
select publication_id as id from gone

-- What was said last of the links by hand: for the undo.
-- name: claim_recent
-- reads: authorship_claim publication person account
select c.publication_id as id, c.person_id, c.verdict, c.at, w.title, w.slug, p.name_latin,
    p.name_han, p.slug as person_slug, a.email
from authorship_claim c
join publication w on w.id = c.publication_id and w.merged_into is null
join person p on p.id = c.person_id
left join account a on a.id = c.account_id
order by c.at desc, c.publication_id, c.person_id
limit 30

-- Who is named in what $1 proposes.
-- name: claim_named_clear
-- writes: change_author
delete from change_author where change_id = $1::bigint

-- name: claim_named
-- writes: change_author
insert into change_author (change_id, folded, person)
select distinct $1::bigint, coalesce(d.folded, ''), coalesce(d.person, '')
from jsonb_to_recordset($2::jsonb) as d (folded text, person text)

-- Works that others propose and that name the person of the account $1; what the account
-- has said of each.
-- name: claim_entered
-- reads: account change change_author change_confirmation person person_alias
select c.id, c.version, c.document ->> 'title' as title, c.document ->> 'venue' as venue,
    c.document -> 'year' as year, c.submitted_at,
    (select string_agg(x ->> 'name', ', ') from json_array_elements(
        case when json_typeof(c.document -> 'authors') = 'array'
            then c.document -> 'authors' else '[]' end) x) as authors,
    case when a.id is not null then json_build_object('email', a.email,
        'name_latin', p.name_latin, 'name_han', p.name_han) end as author,
    f.verdict, f.comment, f.at as said_at, f.version is not null and f.version <> c.version
        as altered
from account me
join person mine on mine.id = me.person_id
join change c on c.entity = 'publication' and c.state = 'submitted'
    and c.author_id is distinct from me.id
left join account a on a.id = c.author_id
left join person p on p.id = a.person_id
left join change_confirmation f on f.change_id = c.id and f.account_id = me.id
where me.id = $1::bigint and exists (
    select from change_author x where x.change_id = c.id and (x.person = mine.slug
        or x.folded in (select folded from person_alias where person_id = mine.id)))
order by c.submitted_at desc, c.id desc
limit 100

-- CONFLICT when nothing is returned: it is not theirs to judge, or was altered or decided.
-- name: claim_confirm_change
-- reads: account change change_author person person_alias
-- writes: change_confirmation
insert into change_confirmation as f (change_id, account_id, version, verdict, comment)
select c.id, me.id, c.version, $4, $5
from account me
join person mine on mine.id = me.person_id
join change c on c.id = $2::bigint and c.version = $3::int and c.state = 'submitted'
    and c.entity = 'publication' and c.author_id is distinct from me.id
where me.id = $1::bigint and exists (
    select from change_author x where x.change_id = c.id and (x.person = mine.slug
        or x.folded in (select folded from person_alias where person_id = mine.id)))
on conflict (change_id, account_id) do update set version = excluded.version,
    verdict = excluded.verdict, comment = excluded.comment, at = now()
returning change_id as id

-- name: claim_take_back
-- writes: change_confirmation
delete from change_confirmation where account_id = $1::bigint and change_id = $2::bigint

-- What co-authors said of a change.
-- name: claim_confirmations
-- reads: change_confirmation account person change
select f.verdict, f.comment, f.at, f.version <> c.version
        and c.state = 'submitted' as altered, p.name_latin, p.name_han, a.email
from change_confirmation f
join change c on c.id = f.change_id
join account a on a.id = f.account_id
left join person p on p.id = a.person_id
where f.change_id = $1::bigint
order by f.at
