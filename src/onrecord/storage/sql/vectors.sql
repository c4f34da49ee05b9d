-- name: spaces
-- All spaces, oldest first.
SELECT id, model, digest, dimension, pooling, form, made_at, is_current
FROM embedding_spaces WHERE tenant = :tenant ORDER BY made_at, id

-- name: space_open
-- A space that recall does not use yet.
INSERT INTO embedding_spaces (
  tenant, id, model, digest, dimension, pooling, form, made_at, is_current, revision
) VALUES (:tenant, :id, :model, :digest, :dimension, :pooling, :form, :made_at, 0, 0)

-- name: space_dimension
-- How many dimensions a space has.
SELECT dimension, model FROM embedding_spaces WHERE tenant = :tenant AND id = :space

-- name: space_current
-- The space becomes the one that recall uses.
UPDATE embedding_spaces SET is_current = 1 WHERE tenant = :tenant AND id = :space

-- name: space_changed
-- What is kept of the space is no longer what it was.
UPDATE embedding_spaces SET revision = revision + 1 WHERE tenant = :tenant AND id = :space

-- name: spaces_changed_by
-- An item changed or goes: whatever has its vectors may tell other things now.
UPDATE embedding_spaces SET revision = revision + 1
WHERE tenant = :tenant
  AND id IN (SELECT space FROM vectors WHERE tenant = :tenant AND item = :item)

-- name: spaces_drop_others
-- All spaces but one; their vectors go before.
DELETE FROM embedding_spaces WHERE tenant = :tenant AND id <> :space

-- name: space_drop
-- One space; its vectors go before.
DELETE FROM embedding_spaces WHERE tenant = :tenant AND id = :space

-- name: vectors_drop_others
-- Vectors of all spaces but one.
DELETE FROM vectors WHERE tenant = :tenant AND space <> :space

-- name: vectors_clear
-- Vectors of one space.
DELETE FROM vectors WHERE tenant = :tenant AND space = :space

-- name: vectors_drop
-- Vectors of an item in one space.
DELETE FROM vectors WHERE tenant = :tenant AND space = :space AND item = :item

-- name: erase_vectors
-- Vectors of an item in every space.
DELETE FROM vectors WHERE tenant = :tenant AND item = :item

-- name: vector_put
-- One vector of an item's version.
INSERT INTO vectors (tenant, space, item, piece, version, vector)
VALUES (:tenant, :space, :item, :piece, :version, :vector)

-- name: vectors_have
-- Whether there are vectors of an item's version; the first piece stands for all.
SELECT 1 FROM vectors
WHERE tenant = :tenant AND space = :space AND item = :item AND piece = 0 AND version = :version

-- name: vectors_lacking
-- Active items without vectors of their current version.
SELECT i.id, i.head FROM items AS i
WHERE i.tenant = :tenant AND i.status = 'active' AND i.id > :after
  AND NOT EXISTS (
    SELECT 1 FROM vectors AS x
    WHERE x.tenant = i.tenant AND x.space = :space AND x.item = i.id AND x.version = i.head)
ORDER BY i.id LIMIT :limit

-- name: vectors_count
-- Active items with vectors of their current version, and active items.
SELECT
  (SELECT count(*) FROM items AS i
   JOIN vectors AS x ON x.tenant = i.tenant AND x.space = :space AND x.item = i.id
     AND x.piece = 0 AND x.version = i.head
   WHERE i.tenant = :tenant AND i.status = 'active'),
  (SELECT count(*) FROM items AS i WHERE i.tenant = :tenant AND i.status = 'active')

-- name: vectors_stamp
-- How often what may be told of the space changed.
SELECT revision FROM embedding_spaces WHERE tenant = :tenant AND id = :space

-- name: vectors_of
-- Vectors of the current versions of a scope's active items.
SELECT i.id, x.vector FROM items AS i
JOIN vectors AS x ON x.tenant = i.tenant AND x.space = :space AND x.item = i.id
  AND x.version = i.head
WHERE i.tenant = :tenant AND i.scope = :scope AND i.status = 'active'
ORDER BY i.id, x.piece

-- name: vectors_fit
-- Those of some items that may be found now, in some scopes.
SELECT i.id FROM items AS i
JOIN versions AS v ON v.tenant = i.tenant AND v.item = i.id AND v.n = i.head
WHERE i.tenant = :tenant AND i.id IN each(:ids) AND i.scope IN each(:scopes)
  AND i.status = 'active' AND (i.expires_at IS NULL OR i.expires_at > :now)
  AND (v.valid_from IS NULL OR v.valid_from <= :now)
  AND (v.valid_to IS NULL OR v.valid_to > :now)
  AND (CAST(:kinds AS TEXT) IS NULL OR i.kind IN each(:kinds))
