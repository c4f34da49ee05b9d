-- name: evidence_add
-- One thing that an item rests on.
INSERT INTO evidence (
  tenant, id, item, version, kind, pointer, quote, digest, author, session, at, checked_at,
  check_result
) VALUES (
  :tenant, :id, :item, :version, :kind, :pointer, :quote, :digest, :author, :session, :at,
  :checked_at, :check_result
)

-- name: evidence_of
-- What an item rests on.
SELECT id, item, version, kind, pointer, quote, digest, author, session, at, checked_at,
  check_result
FROM evidence WHERE tenant = :tenant AND item = :item ORDER BY at, id

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

-- name: links_to
-- Relations that others have to something.
SELECT source, kind, target, at
FROM links WHERE tenant = :tenant AND target = :target ORDER BY at, source, kind

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
