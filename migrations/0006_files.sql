-- PDFs and other files of works: in chunks, so that a part of one can be read. They have no
-- size in pixels. A visitor's page has them among the links of the work.

alter table file
    alter column width drop not null,
    alter column height drop not null,
    add column name text, -- of the download: letters, digits, . _ - only
    add column type text,
    add column size bigint;

create table file_chunk (
    file_id bigint not null references file on delete cascade,
    number int not null, -- from 0; all but the last are 256 KiB
    bytes bytea not null,
    primary key (file_id, number)
);
alter table file_chunk alter column bytes set storage external; -- PDFs are compressed

create or replace view public_publication_link as
    select publication_id, position, kind, url from publication_link
    union all
    select publication_id, 1000 + position, kind, ('/files/' || file || '/'
        || case kind when 'pdf' then 'paper' when 'other' then 'file' else kind end || '.pdf')
        collate "default"
    from public_publication_file;
