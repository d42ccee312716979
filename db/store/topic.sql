-- Topics and projects of works. Works keep which ones they have in their documents; names and
-- order are written here.

-- name: topic_rows
-- reads: topic publication_topic publication
select t.id, t.slug, t.kind, t.name_en, t.name_zh, t.position,
    (select count(*) from publication_topic x join publication p on p.id = x.publication_id
        and p.merged_into is null where x.topic_id = t.id)::int as count
from topic t order by t.kind desc, t.position, lower(t.name_en), t.id

-- name: topic_by_slug
-- reads: topic publication_topic publication
select t.id, t.slug, t.kind, t.name_en, t.name_zh, t.position,
    (select count(*) from publication_topic x join publication p on p.id = x.publication_id
        and p.merged_into is null where x.topic_id = t.id)::int as count
from topic t where t.slug = $1

-- name: topic_insert
-- reads: topic
-- writes: topic
insert into topic (slug, kind, name_en, name_zh, position)
values (free_slug('topic', $1), $2, $3, $4, $5::int) returning id, slug

-- name: topic_update
-- reads: topic
-- writes: topic
update topic set kind = $2, name_en = $3, name_zh = $4, position = $5::int
where id = $1::bigint returning id, slug

-- The works that have it, with their documents' other topics in order.
-- name: topic_works
-- reads: publication_topic topic publication
select p.id, p.version, (select json_agg(json_build_object('topic', t.slug) order by y.position)
    from publication_topic y join topic t on t.id = y.topic_id
    where y.publication_id = p.id) as topics
from publication_topic x join publication p on p.id = x.publication_id
where x.topic_id = $1::bigint order by p.id

-- name: topic_delete_row
-- reads: topic
-- writes: topic
delete from topic where id = $1::bigint
