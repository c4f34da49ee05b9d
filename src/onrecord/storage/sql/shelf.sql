-- part: columns
i.id, v.n, i.scope, i.kind, v.title, substr(v.body, 1, CAST(:body_chars AS INTEGER)),
  length(v.body), i.key, v.summary, v.tags, i.verification, i.pinned, i.tainted, v.by_user,
  v.by_agent, v.by_session, v.repo, v.recorded_at, i.created_at, v.valid_from, v.valid_to,
  i.delivered, i.helpful

-- part: live
i.status = 'active' AND (i.expires_at IS NULL OR i.expires_at > :now)
  AND (v.valid_from IS NULL OR v.valid_from <= :now)
  AND (v.valid_to IS NULL OR v.valid_to > :now)

-- part: heads
FROM items AS i
JOIN versions AS v ON v.tenant = i.tenant AND v.item = i.id AND v.n = i.head

-- name: shelf_rows
-- Rows of items, in no order.
SELECT {columns} {heads} WHERE i.tenant = :tenant AND i.id IN each(:ids)

-- name: shelf_documents
-- Rows of live items in the places whose head is one of the documents, with its number.
SELECT {columns}, d.doc
FROM documents AS d
JOIN items AS i ON i.tenant = d.tenant AND i.id = d.item AND i.head = d.version
JOIN versions AS v ON v.tenant = i.tenant AND v.item = i.id AND v.n = i.head
WHERE d.tenant = :tenant AND d.doc IN (SELECT CAST(e.value AS BIGINT) FROM each(:docs) AS e)
  AND d.place IN each(:places) AND i.scope IN each(:scopes) AND {live}
  AND (CAST(:kinds AS TEXT) IS NULL OR i.kind IN each(:kinds))

-- name: shelf_beside
-- Rows of live items next to some in the sessions that said them, these left out, by id.
SELECT {columns} {heads}
WHERE i.tenant = :tenant AND i.scope IN each(:scopes) AND {live}
  AND i.id IN (
    SELECT n.item
    FROM each(:ids) AS e
    JOIN versions AS o ON o.tenant = :tenant AND o.item = e.value
      AND o.superseded_at IS NULL AND o.by_session <> ''
    JOIN versions AS n ON n.tenant = o.tenant AND n.by_session = o.by_session
      AND n.superseded_at IS NULL AND n.by_session <> ''
      AND n.item IN (
        SELECT b.item FROM (
          SELECT w.item FROM versions AS w
          WHERE w.tenant = o.tenant AND w.by_session = o.by_session AND w.by_session <> ''
            AND w.superseded_at IS NULL AND w.item < o.item
          ORDER BY w.item DESC LIMIT :reach) AS b
        UNION ALL
        SELECT a.item FROM (
          SELECT w.item FROM versions AS w
          WHERE w.tenant = o.tenant AND w.by_session = o.by_session AND w.by_session <> ''
            AND w.superseded_at IS NULL AND w.item > o.item
          ORDER BY w.item LIMIT :reach) AS a))
ORDER BY i.id

-- name: shelf_first
-- Live items of a scope that stand before all others, newest first.
SELECT i.id {heads}
WHERE i.tenant = :tenant AND i.scope = :scope
  AND (i.pinned = 1 OR i.kind IN ('rule','preference')) AND {live}
ORDER BY i.id DESC LIMIT :limit

-- name: shelf_standing
-- Other live items of a scope, newest first.
SELECT i.id {heads}
WHERE i.tenant = :tenant AND i.scope = :scope
  AND i.pinned = 0 AND i.kind NOT IN ('rule','preference') AND {live}
ORDER BY i.id DESC LIMIT :limit

-- name: shelf_reminders
-- Live reminders of some scopes that no session was given as they are now, oldest first.
SELECT i.id {heads}
WHERE i.tenant = :tenant AND i.scope IN each(:scopes) AND i.kind = 'reminder' AND {live}
  AND NOT EXISTS (
    SELECT 1 FROM delivery_items AS di
    JOIN deliveries AS d ON d.tenant = di.tenant AND d.id = di.delivery AND d.session <> ''
    WHERE di.tenant = i.tenant AND di.item = i.id AND di.shown = 1 AND di.version >= i.head)
ORDER BY i.id LIMIT :limit

-- name: shelf_cited
-- What items cite of files, with what was there.
SELECT item, pointer, version, digest FROM evidence
WHERE tenant = :tenant AND item IN each(:ids) AND kind = 'file' AND length(digest) > 0
  AND replaced_at IS NULL
ORDER BY at, id

-- name: shelf_paths
-- The paths that items are linked to.
SELECT source, target FROM links
WHERE tenant = :tenant AND source IN each(:ids) AND kind = 'file' ORDER BY target

-- name: shelf_scope
-- The number of a scope in the lexical index.
SELECT n FROM scopes WHERE tenant = :tenant AND name = :name

-- name: shelf_waiting
-- How many proposals wait.
SELECT count(*) FROM items
WHERE tenant = :tenant AND status = 'proposed' AND (expires_at IS NULL OR expires_at > :now)

-- name: shelf_waiting_in
-- How many proposals wait in some scopes.
SELECT count(*) FROM items
WHERE tenant = :tenant AND status = 'proposed' AND (expires_at IS NULL OR expires_at > :now)
  AND scope IN each(:scopes)

-- name: shelf_flagged
-- How many active items carry one of some flags; each is given with the quote before it.
SELECT count(*) FROM items AS i
WHERE i.tenant = :tenant AND i.status = 'active' AND i.flags <> '[]'
  AND EXISTS (SELECT 1 FROM each(:starts) AS e WHERE position(i.flags, e.value) > 0)

-- name: shelf_shown
-- The newest version of each item shown in a session since its context was last compacted.
SELECT di.item, max(di.version)
FROM sessions AS s
JOIN deliveries AS d ON d.tenant = s.tenant AND d.session = s.id AND d.at >= s.compacted_at
JOIN delivery_items AS di ON di.tenant = d.tenant AND di.delivery = d.id AND di.shown = 1
WHERE s.tenant = :tenant AND s.agent = :agent AND s.agent_session = :agent_session
  AND s.agent_session <> ''
GROUP BY di.item

-- name: shelf_printed
-- What a pack showed that went into no session.
SELECT d.budget, d.tokens, di.item, di.version, di.rank, di.tokens, di.why
FROM deliveries AS d
JOIN delivery_items AS di ON di.tenant = d.tenant AND di.delivery = d.id AND di.shown = 1
WHERE d.tenant = :tenant AND d.id = :delivery AND d.session = ''
ORDER BY di.rank, di.item

-- name: shelf_handoffs
-- Handoffs that the next agent may take: those of the branch first; what is left of runs that
-- nobody sat at after what is of sessions; then newest first.
SELECT h.item, coalesce(s.agent, ''), h.to_agent, h.branch, h.head
FROM handoffs AS h
JOIN items AS i ON i.tenant = h.tenant AND i.id = h.item
JOIN versions AS v ON v.tenant = i.tenant AND v.item = i.id AND v.n = i.head
LEFT JOIN sessions AS s ON s.tenant = h.tenant AND s.id = h.session
WHERE h.tenant = :tenant AND h.repo = :repo AND h.lapses_at > :now AND {live}
  AND (h.status = 'open' OR (h.status = 'claimed' AND h.lease_until <= :now))
ORDER BY CASE WHEN h.branch = :branch THEN 0 ELSE 1 END,
  CASE WHEN h.automatic = 1 AND s.headless = 1 THEN 1 ELSE 0 END, h.created_at DESC, h.item DESC
LIMIT :limit

-- name: shelf_friction
-- What went against a session so far.
SELECT failures, corrections, nudged FROM sessions
WHERE tenant = :tenant AND agent = :agent AND agent_session = :agent_session
  AND agent_session <> ''

-- name: shelf_sessions
-- Sessions of a repository that began before one, newest first.
SELECT agent, started_at, ended_at, first_prompt, last_prompt, diff_stat, id, agent_session,
  (SELECT string_agg(c.value, :line) FROM each(commits) AS c)
FROM sessions
WHERE tenant = :tenant AND repo = :repo AND id < :before
ORDER BY id DESC LIMIT :limit

-- name: shelf_unfinished
-- Of the latest sessions of a repository: those whose process is to be watched, and with no
-- process those that are still to be closed.
SELECT s.agent, s.agent_session, CASE WHEN s.ended_at IS NULL THEN s.pid ELSE 0 END, s.pid_started
FROM (
  SELECT id, agent, agent_session, ended_at, pid, pid_started, last_event_at FROM sessions
  WHERE tenant = :tenant AND repo = :repo ORDER BY last_event_at DESC, id DESC LIMIT :limit
) AS s
WHERE (s.ended_at IS NULL AND s.pid > 0) OR s.id IN (
  SELECT item FROM outbox WHERE tenant = :tenant AND kind = 'close'
)
ORDER BY s.last_event_at DESC, s.id DESC

-- name: shelf_approvals
-- Approvals after an instant, newest first.
SELECT item, by_user, channel, proof FROM reviews
WHERE tenant = :tenant AND at > :since AND decision = 'approve'
ORDER BY at DESC, id DESC LIMIT :limit

-- name: shelf_setting
-- A setting of one scope.
SELECT value FROM settings WHERE tenant = :tenant AND name = :name AND scope = :scope

-- name: shelf_settings
-- Every setting there is.
SELECT name, scope, value FROM settings WHERE tenant = :tenant
