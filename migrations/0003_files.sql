-- Files that people upload: photos, in the sizes that pages show. Who sees what of a
-- person, decided in one place.

create table file (
    id bigint generated always as identity primary key,
    token text collate "C" not null unique, -- unguessable; its name in documents and URLs
    account_id bigint references account on delete set null, -- who uploaded it
    width int not null, -- of the picture that it was made from, pixels
    height int not null,
    kept boolean not null default false, -- a change names it, or has
    created_at timestamptz not null default now()
);
create index on file (account_id);
create index on file (created_at) where not kept;

create table file_part (
    file_id bigint not null references file on delete cascade,
    name text collate "C" not null, -- "240.webp"
    type text not null,
    bytes bytea not null,
    primary key (file_id, name)
);
alter table file_part alter column bytes set storage external; -- is compressed as it is

alter table person add column photo text collate "C" references file (token) on delete set null;
create index on person (photo) where photo is not null;

-- Whose profile names them as advisor is found by their names: those that the text gives,
-- folded as by name_folded(). What is there already is folded more roughly until the
-- person is saved again.
alter table appointment add column advisors text[] not null default '{}';
update appointment set advisors = array[lower(trim(regexp_replace(
    normalize(advisor, NFKC), '[.,\s]+', ' ', 'g')))]
where advisor is not null;

-- How an account (null: a visitor) stands to a person. An advisor is named by an
-- appointment that goes on, or, of an alumnus, by any; a name that two people share is
-- nobody's.
create function standing(seen bigint, viewer bigint) returns text language sql stable as $$
    select coalesce((select case
        when v.person_id = seen then 'owner'
        when v.admin then 'admin'
        when exists (
            select from appointment a
            join person_alias mine on mine.folded = any (a.advisors)
            where a.person_id = seen and mine.person_id = v.person_id
                and (a.ends is null or a.ends >= lab_today() or not exists (
                    select from appointment b where b.person_id = seen
                        and (b.ends is null or b.ends >= lab_today())))
                and not exists (select from person_alias other
                    where other.folded = mine.folded and other.person_id <> mine.person_id))
            then 'advisor'
        else 'member' end
    from account v where v.id = viewer and v.disabled_at is null), 'visitor')
$$;

-- The level that a person chose for a field, or the one that it has by itself.
create function level_of(visibility jsonb, field text) returns text language sql immutable as $$
    select coalesce(visibility ->> field,
        case when field in ('email', 'phone') then 'members' else 'public' end)
$$;

-- The one answer to "who sees it": may somebody of this standing see what has this level?
-- A level that is not known is for the owner and admins alone.
create function may_see(level text, standing text) returns boolean language sql immutable as $$
    select coalesce(standing in ('owner', 'admin') or level = 'public'
        or (standing in ('member', 'advisor') and level = 'members')
        or (standing = 'advisor' and level = 'advisor'), false)
$$;

create or replace view public_person as
    select p.id, p.slug, p.given_latin, p.family_latin, p.name_latin, p.name_han,
        p.interests_en, p.interests_zh,
        case when may_see(level_of(p.visibility, 'biography'), 'visitor')
            then p.biography_en end as biography_en,
        case when may_see(level_of(p.visibility, 'biography'), 'visitor')
            then p.biography_zh end as biography_zh,
        case when may_see(level_of(p.visibility, 'email'), 'visitor') then p.email end
            as email,
        case when may_see(level_of(p.visibility, 'phone'), 'visitor') then p.phone end
            as phone,
        case when may_see(level_of(p.visibility, 'office'), 'visitor') then p.office end
            as office,
        case when may_see(level_of(p.visibility, 'orcid'), 'visitor') then p.orcid end
            as orcid,
        a.role, a.title_en, a.title_zh, a.starts, a.ends, coalesce(a.current, false) as current,
        p.version, p.updated_at,
        case when may_see(level_of(p.visibility, 'photo'), 'visitor') then p.photo end
            as photo
    from person p
    left join lateral (
        select * from public_appointment where person_id = p.id
        order by current desc, starts desc nulls last, position limit 1) a on true;
drop function shown(jsonb, text, text);
