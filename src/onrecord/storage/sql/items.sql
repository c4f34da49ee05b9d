-- part: party
v.writer, v.channel, v.by_user, v.by_agent, v.by_model, v.by_session, v.by_org, v.by_role,
v.headless, v.confirmed, v.proof

-- part: version
v.item, v.n, v.title, v.body, v.summary, v.tags, v.prompted_by, v.valid_from, v.valid_to,
v.recorded_at, v.superseded_at, v.cwd, v.repo, v.branch, v.commit_id, v.reason, v.digest,
v.same, v.erased_at, {party}

-- part: item
i.id, i.scope, i.key, i.kind, i.status, i.verification, i.pinned, i.tainted, i.flags,
i.replaces, i.replaces_version, i.created_at, i.expires_at, i.salt, i.delivered, i.opened,
i.helpful

-- part: heads
FROM items AS i
JOIN versions AS v ON v.tenant = i.tenant AND v.item = i.id AND v.n = i.head

-- part: stood
FROM items AS i
JOIN item_states AS s ON s.tenant = i.tenant AND s.item = i.id AND s.n = (
  SELECT max(x.n) FROM item_states AS x
  WHERE x.tenant = i.tenant AND x.item = i.id AND x.at <= CAST(:as_of AS BIGINT))
JOIN versions AS v ON v.tenant = i.tenant AND v.item = i.id AND v.n = s.version

-- name: state_add
-- How the item stands from an instant on; a clock set back orders nothing anew.
INSERT INTO item_states (
  tenant, item, n, at, version, scope, kind, status, verification, pinned, tainted, expires_at
)
SELECT i.tenant, i.id, coalesce(s.n, 0) + 1,
  CASE WHEN s.at > CAST(:at AS BIGINT) THEN s.at ELSE CAST(:at AS BIGINT) END, i.head, i.scope,
  i.kind, i.status, i.verification, i.pinned, i.tainted, i.expires_at
FROM items AS i
LEFT JOIN item_states AS s ON s.tenant = i.tenant AND s.item = i.id AND s.n = (
  SELECT max(x.n) FROM item_states AS x WHERE x.tenant = i.tenant AND x.item = i.id)
WHERE i.tenant = :tenant AND i.id = :id

-- name: items_stood
-- Items as they stood at an instant, each with the version that was its head.
SELECT i.id, s.scope, i.key, s.kind, s.status, s.verification, s.pinned, s.tainted, '[]',
  i.replaces, i.replaces_version, i.created_at, s.expires_at, i.salt, 0, 0, 0, {version} {stood}
WHERE i.tenant = :tenant AND i.id IN each(:ids)

-- name: item_add
-- The item's own row.
INSERT INTO items (
  tenant, id, scope, key, kind, status, verification, pinned, tainted, flags, replaces,
  replaces_version, head, created_at, expires_at, salt, delivered, opened, helpful
) VALUES (
  :tenant, :id, :scope, :key, :kind, :status, :verification, :pinned, :tainted, :flags,
  :replaces, :replaces_version, :head, :created_at, :expires_at, :salt, :delivered, :opened,
  :helpful
)

-- name: item_change
-- The item's own fields, apart from its head, its birth, its salt and its counters.
UPDATE items SET
  scope = :scope, key = :key, kind = :kind, status = :status, verification = :verification,
  pinned = :pinned, tainted = :tainted, flags = :flags, replaces = :replaces,
  replaces_version = :replaces_version, expires_at = :expires_at
WHERE tenant = :tenant AND id = :id

-- name: item_advance
-- Makes the next version the head, provided that the one before it still is.
UPDATE items SET head = :n WHERE tenant = :tenant AND id = :id AND head = :before

-- name: version_add
-- One version.
INSERT INTO versions (
  tenant, item, n, title, body, summary, tags, prompted_by, valid_from, valid_to, recorded_at,
  superseded_at, cwd, repo, branch, commit_id, reason, digest, same, erased_at, writer, channel,
  by_user, by_agent, by_model, by_session, by_org, by_role, headless, confirmed, proof
) VALUES (
  :tenant, :item, :n, :title, :body, :summary, :tags, :prompted_by, :valid_from, :valid_to,
  :recorded_at, :superseded_at, :cwd, :repo, :branch, :commit_id, :reason, :digest, :same,
  :erased_at, :writer, :channel, :by_user, :by_agent, :by_model, :by_session, :by_org, :by_role,
  :headless, :confirmed, :proof
)

-- name: version_close
-- Ends a version; a trigger lets this happen once.
UPDATE versions SET superseded_at = :at WHERE tenant = :tenant AND item = :item AND n = :n

-- name: item_get
-- One item with its head version.
SELECT {item}, {version} {heads} WHERE i.tenant = :tenant AND i.id = :id

-- name: items_of
-- Items with their head versions.
SELECT {item}, {version} {heads} WHERE i.tenant = :tenant AND i.id IN each(:ids)

-- name: items_with_start
-- Ids in a range of the alphabet.
SELECT id FROM items
WHERE tenant = :tenant AND id >= :part AND id < :beyond
ORDER BY id LIMIT :limit

-- name: items_with_end
-- Ids that end with a part of four characters or more.
SELECT id FROM items
WHERE tenant = :tenant AND last_four(id) = :last
  AND substr(id, 1 + length(id) - length(CAST(:part AS TEXT))) = CAST(:part AS TEXT)
ORDER BY id LIMIT :limit

-- name: items_with_short_end
-- Ids that end with a part, however short.
SELECT id FROM items
WHERE tenant = :tenant
  AND substr(id, 1 + length(id) - length(CAST(:part AS TEXT))) = CAST(:part AS TEXT)
ORDER BY id LIMIT :limit

-- name: items_by_key
-- Items at an address.
SELECT id FROM items
WHERE tenant = :tenant AND scope = :scope AND key = :key AND key <> ''
  AND status IN each(:statuses)
ORDER BY id

-- name: items_by_same
-- Items whose head makes a statement.
SELECT i.id {heads}
WHERE v.tenant = :tenant AND v.same = :same AND i.status IN each(:statuses)
ORDER BY i.id

-- name: versions_once_same
-- Earlier versions that made a statement.
SELECT {version}
FROM versions AS v
JOIN items AS i ON i.tenant = v.tenant AND i.id = v.item AND v.n < i.head
WHERE v.tenant = :tenant AND v.same = :same
ORDER BY v.recorded_at DESC, v.item DESC, v.n DESC

-- name: versions_of
-- An item's versions.
SELECT {version} FROM versions AS v WHERE v.tenant = :tenant AND v.item = :item ORDER BY v.n

-- part: valid
(CAST(:valid_at AS BIGINT) IS NULL OR (
  (v.valid_from IS NULL OR v.valid_from <= :valid_at)
  AND (v.valid_to IS NULL OR v.valid_to > :valid_at)))

-- part: fitting
(CAST(:scopes AS TEXT) IS NULL OR i.scope IN each(:scopes))
  AND (CAST(:statuses AS TEXT) IS NULL OR i.status IN each(:statuses))
  AND (CAST(:kinds AS TEXT) IS NULL OR i.kind IN each(:kinds))
  AND (CAST(:tags AS TEXT) IS NULL
       OR EXISTS (SELECT 1 FROM each(v.tags) AS t WHERE t.value IN each(:tags)))
  AND (CAST(:since AS BIGINT) IS NULL OR v.recorded_at >= :since)
  AND (CAST(:until AS BIGINT) IS NULL OR v.recorded_at < :until)
  AND (CAST(:now AS BIGINT) IS NULL OR i.expires_at IS NULL OR i.expires_at > :now)
  AND (CAST(:after AS TEXT) IS NULL OR i.id < :after) AND {valid}

-- name: page
-- Ids of items that fit, over the whole store.
SELECT i.id {heads}
WHERE i.tenant = :tenant AND {fitting}
ORDER BY i.id DESC LIMIT :limit

-- name: page_stood
-- Ids of items that fitted at an instant; what was erased since does not.
SELECT i.id {stood}
WHERE i.tenant = :tenant AND v.erased_at IS NULL
  AND (CAST(:scopes AS TEXT) IS NULL OR s.scope IN each(:scopes))
  AND (CAST(:statuses AS TEXT) IS NULL OR s.status IN each(:statuses))
  AND (CAST(:kinds AS TEXT) IS NULL OR s.kind IN each(:kinds))
  AND (CAST(:tags AS TEXT) IS NULL
       OR EXISTS (SELECT 1 FROM each(v.tags) AS t WHERE t.value IN each(:tags)))
  AND (CAST(:since AS BIGINT) IS NULL OR v.recorded_at >= :since)
  AND (CAST(:until AS BIGINT) IS NULL OR v.recorded_at < :until)
  AND (CAST(:now AS BIGINT) IS NULL OR s.expires_at IS NULL OR s.expires_at > :now)
  AND (CAST(:after AS TEXT) IS NULL OR i.id < :after) AND {valid}
ORDER BY i.id DESC LIMIT :limit

-- name: stood_erased
-- How many items stood at an instant in some scopes and statuses and were erased since.
SELECT count(*) {stood}
WHERE i.tenant = :tenant AND v.erased_at IS NOT NULL
  AND (CAST(:scopes AS TEXT) IS NULL OR s.scope IN each(:scopes))
  AND s.status IN each(:statuses)

-- name: page_of_status
-- Ids of items of one status that fit.
SELECT i.id {heads}
WHERE i.tenant = :tenant AND i.status = :status AND {fitting}
ORDER BY i.id DESC LIMIT :limit

-- name: page_of_scope
-- Ids of items of one scope and status that fit.
SELECT i.id {heads}
WHERE i.tenant = :tenant AND i.scope = :scope AND i.status = :status AND {fitting}
ORDER BY i.id DESC LIMIT :limit

-- name: items_count
-- How many items have one of the statuses.
SELECT count(*) FROM items WHERE tenant = :tenant AND status IN each(:statuses)

-- name: items_count_in
-- How many items of some scopes have one of the statuses.
SELECT count(*) FROM items
WHERE tenant = :tenant AND scope IN each(:scopes) AND status IN each(:statuses)

-- name: items_bump
-- Adds to the use counters.
UPDATE items SET
  delivered = delivered + :delivered, opened = opened + :opened, helpful = helpful + :helpful
WHERE tenant = :tenant AND id IN each(:ids)

-- name: erase_item
-- Blanks what can carry text in the item's own row.
UPDATE items SET
  status = 'forgotten', key = '', flags = '[]', salt = :none, replaces = '', replaces_version = 0
WHERE tenant = :tenant AND id = :item

-- name: erase_versions
-- Blanks what its versions say, and everything made from it.
UPDATE versions SET
  title = '', body = '', summary = '', tags = '[]', prompted_by = '', valid_from = NULL,
  valid_to = NULL, cwd = '', repo = '', branch = '', commit_id = '', reason = '',
  digest = :none, same = :none, erased_at = :at
WHERE tenant = :tenant AND item = :item AND erased_at IS NULL

-- name: erase_evidence
-- Blanks what its evidence says.
UPDATE evidence SET quote = '', pointer = '', author = '', digest = :none
WHERE tenant = :tenant AND item = :item

-- name: erase_links
-- Its links; a target can be a path or an address.
DELETE FROM links WHERE tenant = :tenant AND source = :item

-- name: erase_reviews
-- Blanks what its reviews say, and the digests of what was seen.
UPDATE reviews SET note = '', reason = '', seen = :none, became = :none
WHERE tenant = :tenant AND item = :item

-- name: erase_feedback
-- Blanks the notes of its feedback.
UPDATE feedback SET note = '' WHERE tenant = :tenant AND item = :item

-- name: erase_handoff
-- Blanks what its handoff says, and where it was written.
UPDATE handoffs SET
  done = '', state = '', next = '', questions = '', repo = '', branch = '', head = '',
  dirty = '{}'
WHERE tenant = :tenant AND item = :item

-- name: erase_deliveries
-- Blanks the words that brought it up, shown or withheld.
UPDATE deliveries SET query = ''
WHERE tenant = :tenant AND query <> ''
  AND id IN (
    SELECT delivery FROM delivery_items WHERE tenant = :tenant AND item = :item
  )

-- name: erase_answers
-- Blanks what was answered about it; that its key was used stays known.
UPDATE answers SET request = :none, answer = '' WHERE tenant = :tenant AND item = :item
