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
