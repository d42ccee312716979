-- What was asked of Crossref and others is kept with its entity tag; a host is asked politely,
-- however many instances there are; work for later is a row.

create table lookup (
    scheme text not null check (scheme in ('doi', 'arxiv', 'pmid', 'orcid')),
    value text not null,
    body json, -- as the source gave it; null: it knows none
    etag text,
    checked_at timestamptz not null default now(),
    primary key (scheme, value)
);

create table lookup_host (
    host text primary key,
    next_at timestamptz not null -- nobody asks it before
);

create table job (
    id bigint generated always as identity primary key,
    kind text not null check (kind in ('lookup', 'links')),
    subject jsonb not null default '{}',
    account_id bigint references account on delete cascade, -- whose it is; null: the lab's
    state text not null default 'waiting' check (state in ('waiting', 'running', 'done',
        'failed')),
    attempts int not null default 0,
    error text, -- the last one: a code, "lookup_timeout"
    due_at timestamptz not null default now(),
    leased_until timestamptz, -- running: nobody else takes it before
    created_at timestamptz not null default now(),
    ended_at timestamptz
);
create index on job (due_at) where state in ('waiting', 'running');
create unique index job_links on job (kind) where kind = 'links' and state in ('waiting',
    'running'); -- one is enough

-- Addresses on visitors' pages, and what came of asking for them.
create table link_check (
    url text primary key,
    status int,   -- of HTTP; null: there was no answer
    error text,   -- then why: "host", "refused", "timeout", "tls", "private"
    fails int not null default 0, -- in a row
    checked_at timestamptz not null default now()
);
