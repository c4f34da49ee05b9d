-- name: evidence_add
-- One thing that an item rests on.
INSERT INTO evidence (
  tenant, id, item, version, kind, pointer, quote, digest, author, session, at, checked_at,
  check_result, given, replaced_at
) VALUES (
  :tenant, :id, :item, :version, :kind, :pointer, :quote, :digest, :author, :session, :at,
  :checked_at, :check_result, :given, :replaced_at
)

-- name: evidence_of
-- What an item rests on.
SELECT id, item, version, kind, pointer, quote, digest, author, session, at, checked_at,
  check_result, given, replaced_at
FROM evidence WHERE tenant = :tenant AND item = :item ORDER BY at, id

-- name: evidence_of_some
-- What several items rest on.
SELECT id, item, version, kind, pointer, quote, digest, author, session, at, checked_at,
  check_result, given, replaced_at
FROM evidence WHERE tenant = :tenant AND item IN each(:ids) ORDER BY at, id

-- name: evidence_citing
-- What points at something, by how its pointer begins.
SELECT id, item, version, kind, pointer, quote, digest, author, session, at, checked_at,
  check_result, given, replaced_at
FROM evidence
WHERE tenant = :tenant AND pointer <> '' AND substr(pointer, 1, length(:pointer)) = :pointer
ORDER BY at, id

-- name: evidence_added
-- What a session added.
SELECT id, item, version, kind, pointer, quote, digest, author, session, at, checked_at,
  check_result, given, replaced_at
FROM evidence WHERE tenant = :tenant AND session = :session ORDER BY at, id

-- name: evidence_quoting
-- What quotes a text.
SELECT id, item, version, kind, pointer, quote, digest, author, session, at, checked_at,
  check_result, given, replaced_at
FROM evidence
WHERE tenant = :tenant AND quote <> '' AND position(quote, :text) > 0
ORDER BY at, id

-- name: written_in
-- Items of which a session wrote a version.
SELECT DISTINCT item FROM versions
WHERE tenant = :tenant AND by_session = :session ORDER BY item

-- name: evidence_blank
-- Blanks what one row says.
UPDATE evidence SET quote = '', pointer = '', author = '', digest = :none
WHERE tenant = :tenant AND id = :id

-- name: evidence_check
-- What comparing one row said, and when; not of one that was replaced or is blank meanwhile.
UPDATE evidence SET checked_at = :at, check_result = :result
WHERE tenant = :tenant AND id = :id AND replaced_at IS NULL AND length(digest) > 0

-- name: evidence_replace
-- Since when one row speaks for its item no more.
UPDATE evidence SET replaced_at = :at
WHERE tenant = :tenant AND id = :id

-- name: sighting_add
-- One session that stated an item; a second time changes nothing.
INSERT INTO sightings (tenant, item, session, agent, at, evidence, independent)
VALUES (:tenant, :item, :session, :agent, :at, :evidence, :independent)
ON CONFLICT (tenant, item, session) DO NOTHING

-- name: sightings_of
-- The sessions that stated an item.
SELECT item, session, agent, at, evidence, independent
FROM sightings WHERE tenant = :tenant AND item = :item ORDER BY at, session

-- name: link_add
-- A relation; a second time changes nothing.
INSERT INTO links (tenant, source, kind, target, at)
VALUES (:tenant, :source, :kind, :target, :at)
ON CONFLICT (tenant, source, kind, target) DO NOTHING

-- name: links_from
-- Relations that an item has.
SELECT source, kind, target, at
FROM links WHERE tenant = :tenant AND source = :item ORDER BY at, kind, target

-- name: links_of_some
-- Relations that several items have.
SELECT source, kind, target, at
FROM links WHERE tenant = :tenant AND source IN each(:ids) ORDER BY at, source, kind, target

-- name: links_to
-- Relations that others have to something.
SELECT source, kind, target, at
FROM links WHERE tenant = :tenant AND target = :target ORDER BY at, source, kind

-- name: clashes
-- Links that say that two live items clash.
SELECT l.source, l.kind, l.target, l.at
FROM links AS l
JOIN items AS s ON s.tenant = l.tenant AND s.id = l.source
JOIN items AS t ON t.tenant = l.tenant AND t.id = l.target
WHERE l.tenant = :tenant AND l.kind IN ('contradicts', 'similar')
  AND s.status IN ('active', 'proposed') AND t.status IN ('active', 'proposed')
ORDER BY l.at DESC, l.source DESC, l.target DESC
LIMIT :limit

-- name: review_add
-- A person's decision.
INSERT INTO reviews (
  tenant, id, item, decision, seen, became, reason, note, at, writer, channel, by_user, by_agent,
  by_model, by_session, by_org, by_role, headless, confirmed, proof
) VALUES (
  :tenant, :id, :item, :decision, :seen, :became, :reason, :note, :at, :writer, :channel,
  :by_user, :by_agent, :by_model, :by_session, :by_org, :by_role, :headless, :confirmed, :proof
)

-- name: reviews_of
-- Decisions about an item.
SELECT id, item, decision, seen, became, reason, note, at, writer, channel, by_user, by_agent,
  by_model, by_session, by_org, by_role, headless, confirmed, proof
FROM reviews WHERE tenant = :tenant AND item = :item ORDER BY at, id

-- name: feedback_add
-- What a session made of an item.
INSERT INTO feedback (
  tenant, id, item, session, verdict, note, at, writer, channel, by_user, by_agent, by_model,
  by_session, by_org, by_role, headless, confirmed, proof
) VALUES (
  :tenant, :id, :item, :session, :verdict, :note, :at, :writer, :channel, :by_user, :by_agent,
  :by_model, :by_session, :by_org, :by_role, :headless, :confirmed, :proof
)

-- name: feedback_of
-- What sessions made of an item.
SELECT id, item, session, verdict, note, at, writer, channel, by_user, by_agent, by_model,
  by_session, by_org, by_role, headless, confirmed, proof
FROM feedback WHERE tenant = :tenant AND item = :item ORDER BY at, id
