-- What GET /api/v1/ shows: documents with the keys of the forms, so that what was read can
-- be sent back. Pages are found by key: "the next 50 after this one" costs the same anywhere.

-- name: public_api_publications
-- reads: publication authorship publication_identifier publication_link publication_topic
-- reads: topic person publication_file lab
select p.id, p.issued, p.version, p.slug, p.kind, p.title, authors.list as authors,
    coalesce(p.editors, '[]') as editors, p.venue, p.series, p.volume, p.issue, p.number, p.pages,
    p.edition, p.publisher, p.place, p.genre, p.year, p.month, p.day, p.language, p.abstract,
    p.note, p.award, p.selected, nullif(p.weight, 0) as weight, topics.list as topics, p.url,
    identifiers.list as identifiers, links.list as links, p.updated_at
from (
    select * from public_publication w
    where ($1::text is null or w.kind = $1)
      and ($2::int is null or w.issued between $2::int * 10000 and $2::int * 10000 + 9999)
      and ($3::text is null or exists (select from public_authorship a
              where a.publication_id = w.id and a.person_slug = $3))
      and ($4::text is null or w.search like $4)
      and ($5::int is null or (w.issued, w.id) < ($5::int, $6::bigint))
    order by w.issued desc, w.id desc limit $7::int) p
left join lateral (
    select coalesce(jsonb_agg(jsonb_build_object('name', a.name, 'family', a.family,
        'given', a.given, 'person', a.person_slug, 'equal', a.equal,
        'corresponding', a.corresponding) order by a.position), '[]') as list
    from public_authorship a where a.publication_id = p.id) authors on true
left join lateral (
    select coalesce(jsonb_agg(jsonb_build_object('scheme', i.scheme, 'value', i.value)
        order by i.position), '[]') as list
    from public_identifier i where i.publication_id = p.id) identifiers on true
left join lateral (
    select coalesce(jsonb_agg(jsonb_build_object('kind', l.kind, 'url', l.url)
        order by l.position), '[]') as list
    from public_publication_link l where l.publication_id = p.id
        and l.url not like '/files/%') links on true
left join lateral (
    select coalesce(jsonb_agg(jsonb_build_object('topic', t.slug) order by t.position), '[]')
        as list
    from public_publication_topic t where t.publication_id = p.id) topics on true
order by p.issued desc, p.id desc

-- name: public_api_publication
-- reads: publication authorship publication_identifier publication_link publication_topic
-- reads: publication_file topic person lab
select p.version, p.slug, p.kind, p.title,
    (select coalesce(jsonb_agg(jsonb_build_object('name', a.name, 'family', a.family,
        'given', a.given, 'person', a.person_slug, 'equal', a.equal,
        'corresponding', a.corresponding) order by a.position), '[]')
     from public_authorship a where a.publication_id = p.id) as authors,
    coalesce(p.editors, '[]') as editors, p.venue, p.series, p.volume, p.issue, p.number, p.pages,
    p.edition, p.publisher, p.place, p.genre, p.year, p.month, p.day, p.language, p.abstract,
    p.note, p.award, p.selected, nullif(p.weight, 0) as weight,
    (select coalesce(jsonb_agg(jsonb_build_object('topic', t.slug) order by t.position), '[]')
     from public_publication_topic t where t.publication_id = p.id) as topics,
    p.url,
    (select coalesce(jsonb_agg(jsonb_build_object('scheme', i.scheme, 'value', i.value)
        order by i.position), '[]')
     from public_identifier i where i.publication_id = p.id) as identifiers,
    (select coalesce(jsonb_agg(jsonb_build_object('kind', l.kind, 'url', l.url)
        order by l.position), '[]')
     from public_publication_link l where l.publication_id = p.id
        and l.url not like '/files/%') as links,
    (select coalesce(jsonb_agg(jsonb_build_object('kind', f.kind, 'file', f.file, 'name', f.name,
        'visibility', 'public')
        order by f.position), '[]')
     from public_publication_file f where f.publication_id = p.id) as files,
    p.bibtex_key, p.bibtex_type, p.updated_at
from public_publication p where p.slug = $1

-- name: public_api_people
-- reads: person appointment lab
select p.slug, p.version, p.given_latin, p.family_latin, p.name_latin, p.name_han, p.photo, p.role,
    p.title_en, p.title_zh, p.starts, p.ends, p.current, p.interests_en, p.interests_zh, p.email,
    p.orcid, p.updated_at
from public_person p
where ($1::text is null or p.role = $1)
  and ($2::boolean is null or p.current = $2::boolean)
  and ($3::text is null or p.slug > $3)
order by p.slug limit $4::int

-- name: public_api_person
-- reads: person appointment lab person_link
select p.slug, p.version, p.given_latin, p.family_latin, p.name_latin, p.name_han, p.photo, p.role,
    p.title_en, p.title_zh, p.starts, p.ends, p.current, p.interests_en, p.interests_zh,
    p.biography_en, p.biography_zh, p.email, p.phone, p.office, p.orcid,
    (select coalesce(jsonb_agg(jsonb_build_object('label', l.label, 'url', l.url)
        order by l.position), '[]')
     from public_person_link l where l.person_id = p.id) as links,
    (select coalesce(jsonb_agg(jsonb_build_object('role', a.role, 'title_en', a.title_en,
        'title_zh', a.title_zh, 'starts', a.starts, 'ends', a.ends) order by a.position), '[]')
     from public_appointment a where a.person_id = p.id) as appointments,
    p.updated_at
from public_person p where p.slug = $1
