-- What was typed when a session had run out; reviewing, with comments per field; where a
-- request came from; leaving.

-- The token that the session's forms carry says whose form it was, also after the session.
alter table session add column csrf_hash bytea;
create index on session (csrf_hash);

create table session_past (
    csrf_hash bytea primary key,
    account_id bigint not null references account on delete cascade,
    ended_at timestamptz not null default now()
);
create index on session_past (account_id);
create index on session_past (ended_at);

-- However a session ends: signing out, in again, a new password, an account disabled.
create function keep_past_session() returns trigger language plpgsql as $$
begin
    insert into session_past (csrf_hash, account_id)
    select old.csrf_hash, id from account where id = old.account_id
    on conflict do nothing;
    return null;
end $$;
create trigger keep_past_session after delete on session for each row
    when (old.csrf_hash is not null) execute function keep_past_session();

-- A form that came too late, to be drawn again for its writer after signing in.
create table held_post (
    id bigint generated always as identity primary key,
    account_id bigint not null references account on delete cascade,
    path text not null,
    fields json not null, -- {"name": ["value", ...]}
    created_at timestamptz not null default now(),
    offered_at timestamptz, -- the writer was led to it after signing in
    unique (account_id, path)
);
create index on held_post (created_at);

alter table change
    add column reviewer_id bigint references account on delete set null, -- has it in review
    add column comments json, -- the reviewer's, {"field": "text"}
    add column proposed json; -- as it was sent in, when the reviewer altered it on approval
create index on change (reviewer_id) where state = 'submitted';

alter table change drop constraint change_source_check;
alter table change add constraint change_source_check check (source in ('form', 'bibtex',
    'import', 'api', 'demo', 'restore', 'leaving', 'deletion'));

-- The client's address. It, the actor's address and the details are personal data: they
-- may be forgotten when their owner's data are deleted, and never altered.
alter table event add column peer text;
drop trigger append_only on event;
create trigger append_only before update of at, action, entity, target_id, change_id
    on event for each row execute function refuse_change_of_event();
create function refuse_forging_of_event() returns trigger language plpgsql as $$
begin
    if new.actor is distinct from old.actor and new.actor <> 'erased'
        or new.detail is distinct from old.detail and new.detail is not null
        or new.peer is distinct from old.peer and new.peer is not null then
        raise exception 'events are append-only';
    end if;
    return new;
end $$;
create trigger forgotten_only before update of actor, detail, peer on event
    for each row execute function refuse_forging_of_event();

-- Mail and sign-in of those who leave: an address that lasts, confirmed by a mail to it.
alter table account
    add column lasting_email text,
    add column lasting_email_folded text unique,
    add column lasting_confirmed_at timestamptz;

create table lasting_token (
    token_hash bytea primary key,
    account_id bigint not null references account on delete cascade,
    email text not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null
);
create index on lasting_token (account_id);

-- "Delete my data": asked by the member, carried out by an admin.
create table deletion_request (
    id bigint generated always as identity primary key,
    account_id bigint not null references account on delete cascade,
    words text,
    created_at timestamptz not null default now(),
    withdrawn_at timestamptz,
    done_at timestamptz,
    done_by bigint references account on delete set null
);
create unique index deletion_request_open on deletion_request (account_id)
    where withdrawn_at is null and done_at is null;
