-- part: stone
SELECT id, item, scope, reason, at, key_id, normaliser, sketch, lifted_at, lifted_by, writer,
  channel, by_user, by_agent, by_model, by_session, by_org, by_role, headless, confirmed, proof
FROM tombstones

-- name: tombstone_add
-- What remains of a value.
INSERT INTO tombstones (
  tenant, id, item, scope, reason, at, key_id, normaliser, sketch, lifted_at, lifted_by, writer,
  channel, by_user, by_agent, by_model, by_session, by_org, by_role, headless, confirmed, proof
) VALUES (
  :tenant, :id, :item, :scope, :reason, :at, :key_id, :normaliser, :sketch, :lifted_at,
  :lifted_by, :writer, :channel, :by_user, :by_agent, :by_model, :by_session, :by_org, :by_role,
  :headless, :confirmed, :proof
)

-- name: tombstone_print_add
-- One of its prints; a sentence that comes twice is one.
INSERT INTO tombstone_prints (tenant, tombstone, part, value)
VALUES (:tenant, :tombstone, :part, :value)
ON CONFLICT (tenant, value, part, tombstone) DO NOTHING

-- name: tombstones_with
-- Those that hold any of the prints.
{stone} WHERE tenant = :tenant AND id IN (
  SELECT tombstone FROM tombstone_prints
  WHERE tenant = :tenant AND value IN each_hex(:values)
)
ORDER BY at, id

-- name: tombstones_with_sketches
-- Those in force that carry a sketch.
{stone} WHERE tenant = :tenant AND lifted_at IS NULL AND length(sketch) > 0
ORDER BY at, id

-- name: tombstones_of
-- Those of an item.
{stone} WHERE tenant = :tenant AND item = :item ORDER BY at, id

-- name: prints_of
-- The prints of some tombstones.
SELECT tombstone, part, value FROM tombstone_prints
WHERE tenant = :tenant AND tombstone IN each(:ids)
ORDER BY tombstone, part, value

-- name: tombstone_lift
-- Notes that a person lifted it as a whole.
UPDATE tombstones SET lifted_at = :at, lifted_by = :by
WHERE tenant = :tenant AND id = :id AND lifted_at IS NULL

-- name: tombstone_lift_for
-- Notes that a person lifted it for one scope.
INSERT INTO tombstone_lifts (tenant, tombstone, scope, at, by)
SELECT tenant, id, CAST(:scope AS TEXT), CAST(:at AS BIGINT), CAST(:by AS TEXT) FROM tombstones
WHERE tenant = :tenant AND id = :id
ON CONFLICT (tenant, tombstone, scope) DO NOTHING

-- name: lifts_of
-- For which scopes some tombstones were lifted.
SELECT tombstone, scope, at, by FROM tombstone_lifts
WHERE tenant = :tenant AND tombstone IN each(:ids)
ORDER BY tombstone, at, scope

-- name: erased_key_add
-- An address that was used and erased.
INSERT INTO erased_keys (tenant, value, at) VALUES (:tenant, :value, :at)
ON CONFLICT (tenant, value) DO NOTHING

-- name: erased_key_get
-- Whether it was.
SELECT 1 FROM erased_keys WHERE tenant = :tenant AND value = :value
