-- Where the work is that had this address, or was merged into another.
-- name: public_work_moved
-- reads: publication former_slug
select leads_to from public_former_work where slug = $1 limit 1
