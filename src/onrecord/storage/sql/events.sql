-- part: event
SELECT seq, at, action, target, fields, before, after, change, code, count, undoes, batch,
  commitment, prev_hash, hash, writer, channel, by_user, by_agent, by_model, by_session,
  by_org, by_role, headless, confirmed, proof
FROM events

-- name: event_add
-- One line of the log.
INSERT INTO events (
  tenant, seq, at, action, target, fields, before, after, change, code, count, undoes, batch,
  commitment, prev_hash, hash, writer, channel, by_user, by_agent, by_model, by_session,
  by_org, by_role, headless, confirmed, proof
) VALUES (
  :tenant, :seq, :at, :action, :target, :fields, :before, :after, :change, :code, :count,
  :undoes, :batch, :commitment, :prev_hash, :hash, :writer, :channel, :by_user, :by_agent,
  :by_model, :by_session, :by_org, :by_role, :headless, :confirmed, :proof
)

-- name: events_head
-- The last line.
SELECT seq, hash FROM events WHERE tenant = :tenant ORDER BY seq DESC LIMIT 1

-- name: events_from
-- Lines in order.
{event} WHERE tenant = :tenant AND seq >= :start ORDER BY seq LIMIT :limit

-- name: events_before
-- Lines in reverse.
{event} WHERE tenant = :tenant AND seq < :before ORDER BY seq DESC LIMIT :limit

-- name: events_fitting
-- Lines in reverse that fit what is asked for.
{event} WHERE tenant = :tenant AND seq < :before
  AND (CAST(:parties AS TEXT) IS NULL OR writer IN each(:parties)
       OR by_user IN each(:parties) AND by_agent = '' OR by_agent IN each(:parties))
  AND (CAST(:agents AS TEXT) IS NULL OR by_agent IN each(:agents))
  AND (CAST(:actions AS TEXT) IS NULL OR action IN each(:actions))
  AND (CAST(:codes AS TEXT) IS NULL OR code IN each(:codes))
  AND (CAST(:target AS TEXT) IS NULL OR target = :target)
  AND (CAST(:since AS BIGINT) IS NULL OR at >= :since)
  AND (CAST(:until AS BIGINT) IS NULL OR at < :until)
  AND (CAST(:scopes AS TEXT) IS NULL OR EXISTS (
    SELECT 1 FROM each(:scopes) AS w
    WHERE events.target = w.value
      OR substr(events.target, length(events.target) - length(w.value)) = '@' || w.value
      OR EXISTS (SELECT 1 FROM items AS i
                 WHERE i.tenant = events.tenant AND i.id = events.target AND i.scope = w.value)))
ORDER BY seq DESC LIMIT :limit

-- name: events_of
-- Lines about one target, in order.
{event} WHERE tenant = :tenant AND target = :target ORDER BY seq

-- name: refusal_count
-- One refusal more of a party, rule and minute.
INSERT INTO refusals (tenant, party, rule, minute, count)
VALUES (:tenant, :party, :rule, :minute, 1)
ON CONFLICT (tenant, party, rule, minute) DO UPDATE SET count = refusals.count + 1

-- name: refusal_get
-- How many there were.
SELECT count FROM refusals
WHERE tenant = :tenant AND party = :party AND rule = :rule AND minute = :minute

-- name: refusals_due
-- Repeated refusals of earlier minutes.
SELECT party, rule, minute, count FROM refusals
WHERE tenant = :tenant AND minute < :minute AND count > 1
ORDER BY minute, party, rule

-- name: refusals_drop
-- Forgets the counts of earlier minutes.
DELETE FROM refusals WHERE tenant = :tenant AND minute < :minute
