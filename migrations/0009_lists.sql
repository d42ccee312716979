-- The order of the public list, venues and their ranks.

-- What a venue's name comes down to: no case, accents, punctuation, year, number of the
-- meeting, "Proceedings of the", and nothing in parentheses. Two texts with one key are one
-- venue. Null for a text with nothing else in it.
create function venue_key(venue text) returns text language sql immutable parallel safe as $$
    select nullif(left(trim(regexp_replace(regexp_replace(
        replace(lower(regexp_replace(normalize(venue, NFKD), '[\u0300-\u036f]+', '', 'g')),
            '&', ' and '),
        '\([^)]*\)|\m(in|in the|the)? *(proceedings|proc)\M\.?( +of)?( +the\M)?'
        '|\m(19|20)\d\d\M|[''’]\d\d\M|\m\d+(st|nd|rd|th)\M'
        '|\m((twenty|thirty|forty|fifty)[- ]?)?(first|second|third|fourth|fifth|sixth|seventh'
        '|eighth|ninth|tenth|eleventh|twelfth|\w+teenth|\w+tieth)\M'
        '|第[一二三四五六七八九十百\d]+届|^ *the\M|\mannual\M', ' ', 'g'),
        '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+',
        ' ', 'g')), 200), '')
$$;

-- `listed` and the first letters of the title are the order of every list: newest first, of
-- one date what weighs most, then by title.
alter table publication
    add column listed bigint not null generated always as (
        (30000000 - coalesce(year, 0) * 10000 - coalesce(month, 0) * 100 - coalesce(day, 0))
            ::bigint * 100000 - greatest(least(weight, 50000), -49999)) stored,
    add column venue_key text collate "C" generated always as (venue_key(venue)) stored;
create index publication_listed on publication
    (listed, (left(title_folded, 40) collate "C"), id);
create index publication_kind_listed on publication
    (kind, listed, (left(title_folded, 40) collate "C"), id);
create index publication_venue_listed on publication
    (venue_key, listed, (left(title_folded, 40) collate "C"), id);
create index publication_selected on publication (id) where selected;
drop index publication_kind_issued_id_idx;

create table venue (
    id bigint generated always as identity primary key,
    slug text collate "C" not null unique,
    name text not null,
    short_name text,
    kind text not null default 'conference' check (kind in ('journal', 'conference', 'book',
        'other')),
    rank text, -- "CCF-A", several with semicolons
    version int not null default 1
);

-- Every way in which the venue is written, its name among them.
create table venue_alias (
    key text collate "C" primary key, -- venue_key(name)
    venue_id bigint not null references venue on delete cascade,
    name text not null
);
create index on venue_alias (venue_id);

create trigger announce after insert or update or delete or truncate on venue
    for each statement execute function announce();
create trigger announce after insert or update or delete or truncate on venue_alias
    for each statement execute function announce();

create or replace view public_publication as
    select id, slug, kind, title, venue, year, month, day, issued, volume, issue, pages,
        publisher, abstract, note, url, bibtex_key, bibtex_type, search, version,
        updated_at, editors, series, number, edition, place, genre, language, award, selected,
        weight, bibtex_shown, listed, left(title_folded, 40) collate "C" as title_start,
        venue_key
    from publication where merged_into is null;

create view public_venue as
    select id, slug, name, short_name, kind, rank from venue;

create view public_venue_alias as
    select a.key, a.venue_id, v.slug, v.short_name, v.name, v.kind, v.rank
    from venue_alias a join venue v on v.id = a.venue_id;
