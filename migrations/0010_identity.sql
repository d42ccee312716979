-- Whose works they are: names that only hint at a person, and what people say of the works
-- that stand under their names.

-- Initials and parts of a name: they are asked about, never linked by themselves.
alter table person_alias add column weak boolean not null default false;
update person_alias set weak = true
where folded ~ '^([^ ] )+[^ ]{2,}$' or folded ~ '^[^ ]{2,}( [^ ])+$';

-- Names are folded further than they were; see name_folded().
update person_alias set folded = translate(folded, 'øłđı', 'oldi')
where folded ~ '[øłđı]' and not exists (select from person_alias o
    where o.person_id = person_alias.person_id
        and o.folded = translate(person_alias.folded, 'øłđı', 'oldi'));
update authorship set folded = translate(folded, 'øłđı', 'oldi') where folded ~ '[øłđı]';
update authorship set folded = regexp_replace(folded, '([一-鿿]) (?=[一-鿿])', '\1', 'g')
where folded ~ '[一-鿿] [一-鿿]';

-- Whose a name is that one person alone has in full.
create view known_name as
    select folded, min(person_id) as person_id
    from person_alias where not weak group by folded having count(*) = 1;

-- Kept beside the authors, who are written anew with every change of their work.
create table authorship_claim (
    publication_id bigint not null references publication on delete cascade,
    person_id bigint not null references person on delete cascade,
    -- By the person ("mine", "not_mine"), or by an admin ("linked", "not_mine").
    verdict text not null check (verdict in ('mine', 'not_mine', 'linked')),
    folded text not null, -- the name that was spoken of
    was_linked boolean not null, -- to that person, before
    account_id bigint references account on delete set null,
    at timestamptz not null default now(),
    primary key (publication_id, person_id)
);
create index on authorship_claim (person_id);
create index on authorship (folded) where person_id is not null and confirmed_at is null;

-- Who may be meant by an author, but is not linked: by a name that nobody is linked by; or by
-- one in full, while another of that name is linked who has not said that it is theirs.
create view authorship_offered as
    with offered as (
        select a.publication_id, a.position, a.name, a.folded, n.person_id, n.weak
        from authorship a join person_alias n on n.folded = a.folded
        where a.person_id is null
        union all
        select a.publication_id, a.position, a.name, a.folded, n.person_id, n.weak
        from authorship a
        join person_alias n on n.folded = a.folded and n.person_id <> a.person_id
        join person_alias t on t.folded = a.folded and t.person_id = a.person_id
        where a.person_id is not null and a.confirmed_at is null
            and not n.weak and not t.weak
            and not exists (select from authorship_claim c
                where c.publication_id = a.publication_id and c.person_id = a.person_id)
    )
    select o.* from offered o
    join publication w on w.id = o.publication_id and w.merged_into is null
    where not exists (select from authorship_claim c
            where c.publication_id = o.publication_id and c.person_id = o.person_id)
        and not exists (select from authorship b
            where b.publication_id = o.publication_id and b.person_id = o.person_id);

-- What co-authors say of a work that somebody proposes, and who of them is named in it.
create table change_author (
    change_id bigint not null references change on delete cascade,
    folded text not null, -- the name; or empty, with ...
    person text not null, -- ... the slug of whom the author was linked to
    primary key (change_id, folded, person)
);
create index on change_author (folded);
create index on change_author (person) where person <> '';
create table change_confirmation (
    change_id bigint not null references change on delete cascade,
    account_id bigint not null references account on delete cascade,
    version int not null, -- of the change, that was seen
    verdict text not null check (verdict in ('right', 'wrong')),
    comment text,
    at timestamptz not null default now(),
    primary key (change_id, account_id)
);

create trigger announce after insert or update or delete or truncate on authorship_claim
    for each statement execute function announce();
