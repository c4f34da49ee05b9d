-- name: document_put
-- The indexed form of a version.
INSERT INTO documents (tenant, item, version, place, title, body, tags, terms, context)
VALUES (:tenant, :item, :version, :place, :title, :body, :tags, :terms, :context)
ON CONFLICT (tenant, item, version) DO UPDATE SET
  place = excluded.place, title = excluded.title, body = excluded.body, tags = excluded.tags,
  terms = excluded.terms, context = excluded.context

-- name: document_held
-- Whether a document is there as it should be.
SELECT 1 FROM documents
WHERE tenant = :tenant AND item = :item AND version = :version AND place = :place
  AND title = :title AND body = :body AND tags = :tags AND terms = :terms AND context = :context

-- name: documents_withhold
-- Puts documents of an item out of what is live, into a scope.
UPDATE documents SET place = :place
WHERE tenant = :tenant AND item = :item AND place <> :place
  AND (CAST(:all AS INTEGER) = 1
       OR version <> (SELECT i.head FROM items AS i WHERE i.tenant = :tenant AND i.id = :item))

-- name: documents_offer
-- Puts the head's document into what is live in a scope.
UPDATE documents SET place = :place
WHERE tenant = :tenant AND item = :item AND place <> :place
  AND version = (SELECT i.head FROM items AS i WHERE i.tenant = :tenant AND i.id = :item)

-- name: documents_drop
-- All documents of an item.
DELETE FROM documents WHERE tenant = :tenant AND item = :item

-- name: documents_clear
-- All documents.
DELETE FROM documents WHERE tenant = :tenant

-- name: outbox_add
-- Work that is owed.
INSERT INTO outbox (tenant, kind, item, version, at)
VALUES (:tenant, :kind, :item, :version, :at)

-- name: outbox_due
-- Work that is owed, oldest first.
SELECT id, item, version FROM outbox
WHERE tenant = :tenant AND kind = :kind ORDER BY id LIMIT :limit

-- name: outbox_done
-- Work that was done.
DELETE FROM outbox WHERE tenant = :tenant AND id IN (
  SELECT CAST(e.value AS BIGINT) FROM each(:ids) AS e
)

-- name: answer_get
-- The answer to an idempotency key.
SELECT request, answer FROM answers WHERE tenant = :tenant AND party = :party AND key = :key

-- name: answer_put
-- The answer to an idempotency key.
INSERT INTO answers (tenant, party, key, request, answer, item, at)
VALUES (:tenant, :party, :key, :request, :answer, :item, :at)
