-- The lab, its people and their works; changes, revisions and events; accounts.
-- Forward only; applied in one transaction by `labd migrate`.

create extension if not exists pg_trgm;

-- Every instance listens on "content" and drops the cached pages that read a named table.
-- A statement-level trigger on each content table means that no writer, psql included, can
-- forget to say so.
create function announce() returns trigger language plpgsql as $$
begin
    perform pg_notify('content', tg_table_name);
    return null;
end $$;

-- The lab itself: one row.

create table lab (
    id bigint primary key default 1 check (id = 1),
    version int not null default 1,
    name_en text not null,
    name_zh text not null,
    sentence_en text, -- the lab's own sentence, the hero of the home page
    sentence_zh text,
    about_en text,    -- Markdown
    about_zh text,
    affiliation_en text,
    affiliation_zh text,
    address_en text,
    address_zh text,
    email text,
    time_zone text not null default 'Asia/Shanghai'
);

-- Today, where the lab is.
create function lab_today() returns date language sql stable as $$
    select (now() at time zone coalesce((select time_zone from lab), 'UTC'))::date
$$;

-- People.

create table person (
    id bigint generated always as identity primary key,
    slug text collate "C" not null unique,
    version int not null default 1,
    given_latin text,
    family_latin text,
    name_latin text generated always as (
        nullif(trim(coalesce(given_latin, '') || ' ' || coalesce(family_latin, '')), '')) stored,
    name_han text,
    interests_en text,
    interests_zh text,
    biography_en text, -- Markdown
    biography_zh text,
    email text,
    phone text,
    office text,
    orcid text,
    visibility jsonb not null default '{}', -- {"email": "public"|"members"|"admins"}
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    check (coalesce(given_latin, family_latin, name_han) is not null)
);
create index on person (lower(email));

-- Every spelling of a name that stands for the person, folded as by name_folded().
create table person_alias (
    person_id bigint not null references person on delete cascade,
    position int not null,
    name text not null,
    folded text not null,
    stated boolean not null, -- given by a person, not derived from the names above
    primary key (person_id, folded)
);
create index on person_alias (folded);

-- Current member or alumnus follows from the dates; nobody sets a flag.
create table appointment (
    person_id bigint not null references person on delete cascade,
    position int not null,
    role text not null check (role in ('faculty', 'postdoc', 'staff', 'phd', 'master',
        'undergraduate', 'visitor', 'member')),
    title_en text,
    title_zh text,
    advisor text,
    starts date,
    ends date, -- the last day
    primary key (person_id, position),
    check (ends is null or starts is null or ends >= starts)
);

create table person_link (
    person_id bigint not null references person on delete cascade,
    position int not null,
    label text not null,
    url text not null,
    primary key (person_id, position)
);

-- Works.

create table publication (
    id bigint generated always as identity primary key,
    slug text collate "C" not null unique,
    version int not null default 1,
    kind text not null check (kind in ('article', 'conference', 'book', 'chapter', 'thesis',
        'report', 'preprint', 'software', 'dataset', 'other')),
    title text not null,
    title_folded text not null,
    venue text,
    year int check (year between 1000 and 2999),
    month int check (month between 1 and 12),
    day int check (day between 1 and 31),
    -- Unknown parts count as the first: what has only a year stands after that year's dated works.
    issued int not null generated always as (
        coalesce(year, 0) * 10000 + coalesce(month, 0) * 100 + coalesce(day, 0)) stored,
    volume text,
    issue text,
    pages text,
    publisher text,
    abstract text,
    note text,
    url text,
    bibtex text, -- the original entry, to the byte (after decoding to UTF-8)
    bibtex_key text,
    bibtex_type text,
    search text not null, -- title, authors, venue, year; folded
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);
create index on publication (issued desc, id desc);
create index on publication (kind, issued desc, id desc);
create index on publication using hash (title_folded); -- titles may be long
create index on publication using gin (search gin_trgm_ops);

create table authorship (
    publication_id bigint not null references publication on delete cascade,
    position int not null,
    name text not null, -- as printed
    family text,
    given text,
    folded text not null, -- given and family name, as by name_folded()
    person_id bigint references person on delete set null,
    equal boolean not null default false,
    corresponding boolean not null default false,
    confirmed_at timestamptz, -- by that person
    primary key (publication_id, position)
);
create index on authorship (person_id) where person_id is not null;
create index on authorship using hash (folded) where person_id is null;

create table publication_identifier (
    publication_id bigint not null references publication on delete cascade,
    position int not null,
    scheme text not null check (scheme in ('doi', 'arxiv', 'isbn', 'pmid')),
    value text not null,
    primary key (scheme, value)
);
create index on publication_identifier (publication_id);

create table publication_link (
    publication_id bigint not null references publication on delete cascade,
    position int not null,
    kind text not null check (kind in ('pdf', 'preprint', 'code', 'slides', 'video', 'data',
        'other')),
    url text not null,
    primary key (publication_id, position)
);

-- Who may do what.

create table account (
    id bigint generated always as identity primary key,
    person_id bigint unique references person on delete set null,
    email text not null,
    email_folded text not null unique,
    password_hash text,
    admin boolean not null default false,
    language text not null default 'en' check (language in ('en', 'zh')),
    disabled_at timestamptz,
    created_at timestamptz not null default now()
);

-- Tokens are random; only their hash is kept.
create table session (
    token_hash bytea primary key,
    account_id bigint not null references account on delete cascade,
    created_at timestamptz not null default now(),
    seen_at timestamptz not null default now(),
    expires_at timestamptz not null
);
create index on session (account_id);
create index on session (expires_at);

create table sign_in_link (
    id bigint generated always as identity primary key,
    token_hash bytea not null unique,
    account_id bigint not null references account on delete cascade,
    created_by bigint references account on delete set null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    redeemed_at timestamptz,
    withdrawn_at timestamptz
);
create index on sign_in_link (account_id);

create table api_token (
    id bigint generated always as identity primary key,
    token_hash bytea not null unique,
    account_id bigint not null references account on delete cascade,
    name text not null,
    may_approve boolean not null default false, -- its changes take effect at once
    created_at timestamptz not null default now(),
    expires_at timestamptz,
    used_at timestamptz,
    revoked_at timestamptz
);

-- Attempts per key and window; nothing worth keeping over a crash.
create unlogged table rate (
    key text primary key,
    attempts int not null,
    resets_at timestamptz not null
);

-- The one door: every write to lab, person and publication is a change first.

create table change (
    id bigint generated always as identity primary key,
    version int not null default 1, -- a decision holds for the version that was seen
    entity text not null check (entity in ('lab', 'person', 'publication')),
    target_id bigint,      -- null: a new one
    base_version int,      -- of the target, that the document was written against
    document json not null, -- json keeps the order of the keys
    state text not null check (state in ('draft', 'submitted', 'returned', 'approved',
        'withdrawn')),
    source text not null check (source in ('form', 'bibtex', 'import', 'api', 'demo')),
    author_id bigint references account on delete set null, -- null: the command line
    comment text, -- the reviewer's words
    decided_by bigint references account on delete set null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    submitted_at timestamptz,
    decided_at timestamptz,
    check ((target_id is null) or (state = 'approved') or (base_version is not null))
);
create index on change (state, submitted_at) where state in ('submitted', 'returned', 'draft');
create index on change (author_id, updated_at desc);
create index on change (entity, target_id, id);
-- One open change per author and target.
create unique index change_open on change (author_id, entity, target_id)
    where state in ('draft', 'submitted', 'returned');

-- A free slug: `base`, else with the next number behind it. One transaction at a time per
-- entity chooses.
create function free_slug(entity text, base text) returns text language plpgsql as $$
declare
    taken bigint;
begin
    perform pg_advisory_xact_lock(hashtext('slug'), hashtext(entity));
    execute format('select max(case when slug = $1 then 1
            else substr(slug, length($1) + 2)::bigint end)
        from %I where slug = $1 or slug >= $1 || ''-'' and slug < $1 || ''.''
            and substr(slug, length($1) + 2) ~ ''^[0-9]{1,9}$''', entity)
        into taken using base collate "C";
    return case when taken is null then base else base || '-' || greatest(taken + 1, 2) end;
end $$;

create table revision (
    entity text not null,
    target_id bigint not null,
    version int not null,
    document json not null, -- json keeps the order of the keys
    change_id bigint not null references change,
    created_at timestamptz not null default now(),
    primary key (entity, target_id, version)
);

-- What happened, who did it; append-only.
create table event (
    id bigint generated always as identity primary key,
    at timestamptz not null default now(),
    account_id bigint references account on delete set null,
    actor text not null, -- the address or "command line", as it was then
    action text not null, -- "change.approved", "sign_in.redeemed", ...
    entity text,
    target_id bigint,
    change_id bigint,
    request_id text,
    detail jsonb
);
create index on event (entity, target_id, id);

create function refuse_change_of_event() returns trigger language plpgsql as $$
begin
    raise exception 'events are append-only';
end $$;
create trigger append_only before update of at, actor, action, entity, target_id, change_id, detail
    on event for each row execute function refuse_change_of_event();
create trigger append_only_delete before delete on event
    for each row execute function refuse_change_of_event();

do $$
declare
    content text;
begin
    foreach content in array array['lab', 'person', 'person_alias', 'appointment',
        'person_link', 'publication', 'authorship', 'publication_identifier',
        'publication_link'] loop
        execute format('create trigger announce after insert or update or delete or truncate '
            'on %I for each statement execute function announce()', content);
    end loop;
end $$;

-- What a visitor may see. Public pages read these views and nothing else.

create view public_lab as
    select name_en, name_zh, sentence_en, sentence_zh, about_en, about_zh, affiliation_en,
        affiliation_zh, address_en, address_zh, email
    from lab;

-- A field is shown when its owner says so; contact data only then.
create function shown(visibility jsonb, field text, fallback text) returns boolean
    language sql immutable as $$
    select coalesce(visibility ->> field, fallback) = 'public'
$$;

create view public_appointment as
    select person_id, position, role, title_en, title_zh, starts, ends,
        (starts is null or starts <= lab_today()) and (ends is null or ends >= lab_today())
            as current
    from appointment;

create view public_person as
    select p.id, p.slug, p.given_latin, p.family_latin, p.name_latin, p.name_han,
        p.interests_en, p.interests_zh,
        case when shown(p.visibility, 'biography', 'public') then p.biography_en end
            as biography_en,
        case when shown(p.visibility, 'biography', 'public') then p.biography_zh end
            as biography_zh,
        case when shown(p.visibility, 'email', 'members') then p.email end as email,
        case when shown(p.visibility, 'phone', 'members') then p.phone end as phone,
        case when shown(p.visibility, 'office', 'public') then p.office end as office,
        case when shown(p.visibility, 'orcid', 'public') then p.orcid end as orcid,
        a.role, a.title_en, a.title_zh, a.starts, a.ends, coalesce(a.current, false) as current,
        p.version, p.updated_at
    from person p
    left join lateral (
        select * from public_appointment where person_id = p.id
        order by current desc, starts desc nulls last, position limit 1) a on true;

create view public_person_link as
    select person_id, position, label, url from person_link;

-- Without the entry as it was pasted: it may hold notes and file paths meant for nobody.
create view public_publication as
    select id, slug, kind, title, venue, year, month, day, issued, volume, issue, pages,
        publisher, abstract, note, url, bibtex_key, bibtex_type, search, version,
        updated_at
    from publication;

create view public_authorship as
    select a.publication_id, a.position, a.name, a.family, a.given, a.equal, a.corresponding,
        a.person_id, p.slug as person_slug, p.name_latin as person_name_latin,
        p.name_han as person_name_han
    from authorship a left join person p on p.id = a.person_id;

create view public_identifier as
    select publication_id, position, scheme, value from publication_identifier;

create view public_publication_link as
    select publication_id, position, kind, url from publication_link;
