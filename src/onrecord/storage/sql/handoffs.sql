-- part: handoff
SELECT item, session, to_agent, done, state, next, questions, repo, branch, head, dirty, status,
  automatic, created_at, lapses_at, claimed_by, claimed_at, lease_until, acknowledged_at
FROM handoffs

-- name: handoff_add
-- One handoff; the item of the same id is there already.
INSERT INTO handoffs (
  tenant, item, session, to_agent, done, state, next, questions, repo, branch, head, dirty,
  status, automatic, created_at, lapses_at, claimed_by, claimed_at, lease_until, acknowledged_at
) VALUES (
  :tenant, :item, :session, :to_agent, :done, :state, :next, :questions, :repo, :branch, :head,
  :dirty, :status, :automatic, :created_at, :lapses_at, :claimed_by, :claimed_at, :lease_until,
  :acknowledged_at
)

-- name: handoff_get
-- One handoff.
{handoff} WHERE tenant = :tenant AND item = :item

-- name: handoff_change
-- Every field of one.
UPDATE handoffs SET
  session = :session, to_agent = :to_agent, done = :done, state = :state, next = :next,
  questions = :questions, repo = :repo, branch = :branch, head = :head, dirty = :dirty,
  status = :status, automatic = :automatic, created_at = :created_at, lapses_at = :lapses_at,
  claimed_by = :claimed_by, claimed_at = :claimed_at, lease_until = :lease_until,
  acknowledged_at = :acknowledged_at
WHERE tenant = :tenant AND item = :item

-- name: handoffs_recent
-- Handoffs, newest first.
{handoff}
WHERE tenant = :tenant
  AND (CAST(:repo AS TEXT) IS NULL OR repo = :repo)
  AND (CAST(:branch AS TEXT) IS NULL OR branch = :branch)
  AND (CAST(:statuses AS TEXT) IS NULL OR status IN each(:statuses))
ORDER BY created_at DESC, item DESC LIMIT :limit

-- name: handoffs_mentioning
-- Handoffs whose own words hold a text.
{handoff}
WHERE tenant = :tenant
  AND ( position(done, :text) > 0 OR position(state, :text) > 0
       OR position(next, :text) > 0 OR position(questions, :text) > 0)
ORDER BY item
