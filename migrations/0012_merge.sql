-- Works that turned out to be one, and pairs that are not.

create table publication_merge (
    id bigint generated always as identity primary key,
    into_id bigint not null references publication on delete cascade,
    from_id bigint not null references publication on delete cascade,
    into_document json not null, -- both as they were
    from_document json not null,
    into_version int not null, -- before, ...
    into_after int not null,   -- ... and then
    from_version int not null,
    persons bigint[] not null, -- whose word on the one was taken over to the other
    account_id bigint references account on delete set null,
    actor text not null,
    at timestamptz not null default now(),
    undone_at timestamptz,
    undone_by bigint references account on delete set null,
    left_over json -- what an undoing could not put back: [{scheme, value}], or [] for fields
);
create index on publication_merge (from_id);
create index on publication_merge (into_id);

create table not_duplicate (
    one bigint not null references publication on delete cascade,
    other bigint not null references publication on delete cascade,
    account_id bigint references account on delete set null,
    at timestamptz not null default now(),
    primary key (one, other),
    check (one < other)
);
create index on not_duplicate (other);
create index on not_duplicate (at);
