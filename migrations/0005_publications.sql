-- What a work may say besides: editors, series, edition, the lab's own order and choice,
-- topics, files. Works that were merged and addresses that were changed lead on.

alter table publication
    add column editors json, -- [{name, family, given}]
    add column series text,
    add column number text,  -- of a report; of an article in a volume without pages
    add column edition text,
    add column place text,   -- where the publisher is
    add column genre text,   -- "PhD thesis"
    add column language text,
    add column award text,
    add column selected boolean not null default false,
    add column weight int not null default 0, -- order of the works of one date: highest first
    add column bibtex_shown text, -- the original entry, where visitors may see all of it
    add column merged_into bigint references publication on delete set null;
create index on publication (merged_into) where merged_into is not null;

alter table publication_link drop constraint publication_link_kind_check;
alter table publication_link add constraint publication_link_kind_check check (kind in
    ('pdf', 'preprint', 'code', 'slides', 'video', 'data', 'poster', 'website', 'other'));

create table topic (
    id bigint generated always as identity primary key,
    slug text collate "C" not null unique,
    kind text not null default 'topic' check (kind in ('topic', 'project')),
    name_en text not null,
    name_zh text not null,
    position int not null default 0
);

create table publication_topic (
    publication_id bigint not null references publication on delete cascade,
    topic_id bigint not null references topic on delete cascade,
    position int not null,
    primary key (publication_id, topic_id)
);
create index on publication_topic (topic_id);

create table publication_file (
    publication_id bigint not null references publication on delete cascade,
    position int not null,
    kind text not null check (kind in ('pdf', 'slides', 'poster', 'other')),
    file text collate "C" not null references file (token),
    name text,
    visibility text not null check (visibility in ('public', 'members', 'admins')),
    embargo date, -- visitors see it from this day on
    primary key (publication_id, position)
);
create index on publication_file (file);

-- Addresses that a page had before; free_slug() may give them to another page again.
create table former_slug (
    entity text not null,
    slug text collate "C" not null,
    target_id bigint not null,
    until timestamptz not null default now(),
    primary key (entity, slug)
);
create function keep_former_slug() returns trigger language plpgsql as $$
begin
    insert into former_slug (entity, slug, target_id) values (tg_table_name, old.slug, old.id)
        on conflict (entity, slug) do update set target_id = excluded.target_id, until = now();
    delete from former_slug where entity = tg_table_name and slug = new.slug;
    return null;
end $$;
create trigger former_slug after update of slug on publication for each row
    when (old.slug <> new.slug) execute function keep_former_slug();
create trigger former_slug after update of slug on person for each row
    when (old.slug <> new.slug) execute function keep_former_slug();

create trigger announce after insert or update or delete or truncate on topic
    for each statement execute function announce();
create trigger announce after insert or update or delete or truncate on publication_topic
    for each statement execute function announce();
create trigger announce after insert or update or delete or truncate on publication_file
    for each statement execute function announce();
create trigger announce after insert or update or delete or truncate on former_slug
    for each statement execute function announce();

create or replace view public_publication as
    select id, slug, kind, title, venue, year, month, day, issued, volume, issue, pages,
        publisher, abstract, note, url, bibtex_key, bibtex_type, search, version,
        updated_at, editors, series, number, edition, place, genre, language, award, selected,
        weight, bibtex_shown
    from publication where merged_into is null;

create view public_topic as
    select id, slug, kind, name_en, name_zh, position from topic;

create view public_publication_topic as
    select p.publication_id, p.position, t.slug, t.kind, t.name_en, t.name_zh
    from publication_topic p join topic t on t.id = p.topic_id;

-- Embargoed until the day where the lab is.
create view public_publication_file as
    select publication_id, position, kind, file, name
    from publication_file
    where visibility = 'public' and (embargo is null or embargo <= lab_today());

-- Where an address of a work that is elsewhere now leads to.
create view public_former_work as
    with recursive led (slug, target, depth) as (
        select slug, target_id, 0 from former_slug where entity = 'publication'
        union all
        select slug, merged_into, 0 from publication where merged_into is not null
        union all
        select led.slug, w.merged_into, depth + 1
        from led join publication w on w.id = led.target
        where w.merged_into is not null and depth < 20
    )
    select led.slug, w.slug as leads_to
    from led join publication w on w.id = led.target
    where w.merged_into is null;
