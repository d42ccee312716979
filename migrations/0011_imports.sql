-- What somebody pasted or uploaded, read and waiting for their choice, entry by entry.

create table import (
    id bigint generated always as identity primary key,
    account_id bigint not null references account on delete cascade,
    state text not null default 'ready' check (state in ('ready', 'applied', 'discarded')),
    files json not null default '[]', -- [{name, format, encoding, entries, refused}]
    created_at timestamptz not null default now(),
    applied_at timestamptz
);
create index on import (account_id, id);

create table import_entry (
    import_id bigint not null references import on delete cascade,
    number int not null,
    file int not null,
    line int not null,
    key text not null default '',
    -- waiting: for a look-up of scheme and value, which may have failed
    fate text not null check (fate in ('new', 'update', 'edited', 'duplicate', 'repeated',
        'sent', 'unchanged', 'refused', 'waiting', 'failed')),
    document json,
    scheme text,
    value text,
    target_id bigint,   -- the work that it is, or may be
    target_version int, -- that it was compared with
    score int,
    first int,          -- repeated: the entry that said it before
    problem json,       -- {code, line, word, reason, by_form, ...}
    remarks json not null default '[]',
    choice text not null default 'skip' check (choice in ('add', 'update', 'skip')),
    outcome text check (outcome in ('created', 'updated', 'unchanged', 'submitted', 'conflict',
        'refused')), -- null: nothing was done
    slug text,
    primary key (import_id, number)
);
create index on import_entry (import_id, fate, number);
