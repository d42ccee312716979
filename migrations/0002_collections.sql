-- Collections: what is asked, of whom, in which waves, and what they answered. Mails: an
-- outbox. What else the two need of accounts and links.

-- The day of a moment, where the lab is.
create function lab_day(at timestamptz) returns date language sql stable as $$
    select (at at time zone coalesce((select time_zone from lab), 'UTC'))::date
$$;

-- "UTC+8" of a zone on a day.
create function utc_offset(day date, zone text) returns text language sql stable as $$
    select 'UTC' || case when minutes = 0 then '' else
        case when minutes > 0 then '+' else '-' end || abs(minutes) / 60 ||
        case when minutes % 60 = 0 then '' else ':' || lpad((abs(minutes) % 60)::text, 2, '0') end end
    from (select (extract(epoch from day::timestamp at time zone 'UTC'
        - day::timestamp at time zone zone) / 60)::int as minutes) m
$$;

-- The zone of the lab's clock, before there is a lab too (see lab_today()).
create function lab_zone() returns text language sql stable as $$
    select coalesce((select time_zone from lab), 'UTC')
$$;

-- What is asked, and until when. `definition` is the form that is being written, in the
-- shape of templates/forms/*.json; people answer published copies of it alone.
create table collection (
    id bigint generated always as identity primary key,
    version int not null default 1,
    kind text not null check (kind in ('profile', 'publications', 'custom')),
    title_en text not null,
    title_zh text not null,
    words_en text, -- Markdown; the head of the form
    words_zh text,
    thanks_en text, -- Markdown; the receipt
    thanks_zh text,
    deadline date, -- the last day, where the lab is
    -- closing: who has begun may finish; nobody begins any more
    state text not null default 'draft' check (state in ('draft', 'open', 'closing',
        'closed')),
    remind_days int[] not null default '{7,3,1}', -- before the deadline
    remind_most int not null default 3,           -- reminders a person, asked for by hand too
    remind_gap int not null default 2,            -- days between two of them, at least
    definition json not null,
    definition_version int not null default 1,
    copied_from bigint references collection on delete set null,
    created_by bigint references account on delete set null,
    created_at timestamptz not null default now(),
    opened_at timestamptz,
    closed_at timestamptz
);

-- Whom the organiser means to ask: the pilot first, then everyone. Nobody is asked before
-- a wave opens.
create table collection_person (
    collection_id bigint not null references collection on delete cascade,
    person_id bigint not null references person on delete cascade,
    pilot boolean not null default false,
    primary key (collection_id, person_id)
);
create index on collection_person (person_id);

-- Never changes.
create table form_version (
    id bigint generated always as identity primary key,
    collection_id bigint not null references collection on delete cascade,
    number int not null,
    definition json not null,
    published_by bigint references account on delete set null,
    published_at timestamptz not null default now(),
    unique (collection_id, number)
);

create table wave (
    id bigint generated always as identity primary key,
    collection_id bigint not null references collection on delete cascade,
    number int not null,
    kind text not null check (kind in ('pilot', 'everyone')),
    form_version_id bigint not null references form_version,
    opened_by bigint references account on delete set null,
    opened_at timestamptz not null default now(),
    unique (collection_id, number)
);

-- One a collection and account, for good: a later wave moves it to its form version.
create table invitation (
    id bigint generated always as identity primary key,
    collection_id bigint not null references collection on delete cascade,
    account_id bigint not null references account on delete cascade,
    wave_id bigint not null references wave on delete cascade,  -- the latest
    pilot boolean not null, -- was asked in the pilot first
    form_version_id bigint not null references form_version,
    asked json, -- names of the fields asked for again; null: everything is asked
    state text not null default 'invited' check (state in ('invited', 'opened', 'started',
        'submitted', 'returned', 'approved', 'withdrawn')),
    complete int not null default 0 check (complete between 0 and 100), -- percent
    invited_at timestamptz not null default now(),
    opened_at timestamptz,
    started_at timestamptz,
    submitted_at timestamptz,
    decided_at timestamptz,
    extended_until date, -- instead of the collection's deadline
    reminders int not null default 0,
    reminded_at timestamptz,
    stopped_at timestamptz, -- wants no more reminders
    unique (collection_id, account_id)
);
create index on invitation (account_id);
create index on invitation (wave_id);
create index on invitation (form_version_id);

-- The answer that was approved last; `change` rows of entity "answer" propose the next.
-- Its id is the invitation's.
create table answer (
    id bigint primary key references invitation on delete cascade,
    version int not null default 1,
    document json not null default '{}',
    person_version int, -- of the person's document that the member was shown
    updated_at timestamptz not null default now()
);

-- What happened in the form, for the pilot's page: where people stopped, what they had to
-- correct. Nothing that they typed.
create table answer_step (
    id bigint generated always as identity primary key,
    invitation_id bigint not null references invitation on delete cascade,
    form_version_id bigint not null references form_version on delete cascade,
    section int not null, -- from 0
    kind text not null check (kind in ('seen', 'saved', 'refused')),
    field text, -- refused: which, and why
    code text,
    at timestamptz not null default now()
);
create index on answer_step (invitation_id, id);

-- What people of the pilot say of the form itself. Section -1 is the whole of it.
create table feedback (
    invitation_id bigint not null references invitation on delete cascade,
    form_version_id bigint not null references form_version on delete cascade,
    section int not null,
    field text, -- the question that it is about, when one was named
    unclear boolean not null default false,
    comment text,
    updated_at timestamptz not null default now(),
    primary key (invitation_id, form_version_id, section)
);

-- Until when, and whether an answer is taken now.
create view invitation_now as
    select i.*, coalesce(i.extended_until, c.deadline) as until,
        i.state <> 'withdrawn'
            and (c.state = 'open' or (c.state = 'closing'
                and (i.state in ('started', 'returned') or i.extended_until is not null)))
            and coalesce(coalesce(i.extended_until, c.deadline) >= lab_today(), true)
            as accepts,
        i.state in ('invited', 'opened', 'started', 'returned') as lacking
    from invitation i join collection c on c.id = i.collection_id;

-- Outbox. `body` is the whole text but for {{link}} and {{code}}, which stand for the
-- secret below; it is forgotten when the mail is out.
create table mail (
    id bigint generated always as identity primary key,
    version int not null default 1,
    message_id text not null unique, -- without < >; the same however often it is tried
    template text not null,          -- "invitation", "reminder", "receipt", ...
    language text not null check (language in ('en', 'zh')),
    account_id bigint references account on delete set null,
    collection_id bigint references collection on delete set null,
    invitation_id bigint references invitation on delete set null,
    to_name text,
    to_address text not null,
    subject text not null,
    body text not null,
    secret text, -- of the sign-in link
    link_id bigint references sign_in_link on delete set null,
    stop_hash bytea unique, -- of the token by which reminders are stopped
    state text not null default 'waiting' check (state in ('waiting', 'held', 'sending',
        'sent', 'failed', 'bounced', 'cancelled')),
    reason text, -- the server's words, or a code: "not_needed", "withdrawn"
    attempts int not null default 0,
    due_at timestamptz not null default now(),
    leased_until timestamptz, -- sending: nobody else takes it before
    created_at timestamptz not null default now(),
    sent_at timestamptz
);
create index on mail (due_at) where state in ('waiting', 'sending');
create index on mail (invitation_id, id);
create index on mail (account_id, id);

-- An admin's own words in place of templates/mail/NAME.LANGUAGE.txt, for the lab or for
-- one collection.
create table mail_text (
    id bigint generated always as identity primary key,
    name text not null,
    language text not null check (language in ('en', 'zh')),
    collection_id bigint references collection on delete cascade,
    subject text not null,
    body text not null,
    version int not null default 1,
    updated_by bigint references account on delete set null,
    updated_at timestamptz not null default now()
);
create unique index mail_text_one on mail_text (name, language, coalesce(collection_id, 0));

-- Reminders by the schedule: one a person and day of it, whoever's clock ticks.
create table reminder (
    invitation_id bigint not null references invitation on delete cascade,
    days int not null,  -- before `until`
    until date not null,
    mail_id bigint references mail on delete set null,
    at timestamptz not null default now(),
    primary key (invitation_id, days, until)
);

-- Links in mails lead somewhere, and have a short code for another device.
alter table sign_in_link
    add column next text,
    add column invitation_id bigint references invitation on delete set null,
    add column code_hash bytea,
    add column mailed boolean not null default false; -- a later one does not withdraw it
create index on sign_in_link (account_id, code_hash) where code_hash is not null;

alter table account
    add column bounced_at timestamptz; -- mail to the address came back

-- An answer is written through the same door as everything else.
alter table change drop constraint change_entity_check;
alter table change add constraint change_entity_check
    check (entity in ('lab', 'person', 'publication', 'answer'));

-- The invitation follows its answer; no writer can forget it. A draft beside what was
-- approved already changes nothing that anybody waits for; one that was sent in is waited
-- for again when it is taken back.
create function follow_answer() returns trigger language plpgsql as $$
begin
    update invitation set
        state = case
            when new.state = 'withdrawn' or (new.state = 'draft' and state = 'submitted') then
                case when asked is null and exists (select from answer a
                    where a.id = new.target_id and a.version > 1) then 'approved'
                else 'started' end
            when new.state = 'draft' then 'started'
            when new.state = 'approved' and asked is not null
                and state in ('invited', 'opened') then state -- asked again meanwhile
            else new.state end,
        started_at = coalesce(started_at, now()),
        submitted_at = case when new.state = 'submitted' then now() else submitted_at end,
        decided_at = case when new.state in ('approved', 'returned') then now()
            else decided_at end
    where id = new.target_id and state <> 'withdrawn' and case new.state
        when 'draft' then state in ('invited', 'opened')
            or (state = 'submitted' and old.state = 'submitted')
        when 'submitted' then true
        else state is distinct from new.state end;
    return null;
end $$;
create trigger follow_answer after insert or update of state, submitted_at, decided_at on change
    for each row when (new.entity = 'answer') execute function follow_answer();

-- What a form that is being written was before: to put back what was taken out, and to say
-- what somebody else has changed meanwhile.
create table form_draft (
    collection_id bigint not null references collection on delete cascade,
    version int not null, -- collection.definition_version
    definition json not null,
    until timestamptz not null default now(),
    primary key (collection_id, version)
);
create function keep_form_draft() returns trigger language plpgsql as $$
begin
    insert into form_draft (collection_id, version, definition)
        values (old.id, old.definition_version, old.definition) on conflict do nothing;
    delete from form_draft where collection_id = old.id and version <= old.definition_version - 100;
    return null;
end $$;
create trigger keep_form_draft after update of definition on collection
    for each row when (old.definition_version <> new.definition_version)
    execute function keep_form_draft();
