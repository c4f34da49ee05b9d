-- part: session
SELECT id, agent, agent_session, parent, model, transcript, scopes, cwd, repo, branch,
  started_at, ended_at, last_event_at, start_reason, end_reason, first_prompt, last_prompt,
  prompts, head_start, head_end, commits, diff_stat, headless, synthetic, deliver, busy,
  compactions, failures, corrections, nudged, forgotten, pid, pid_started
FROM sessions

-- name: session_put
-- A session; what was compacted away stays so.
INSERT INTO sessions (
  tenant, id, agent, agent_session, parent, model, transcript, scopes, cwd, repo, branch,
  started_at, ended_at, last_event_at, start_reason, end_reason, first_prompt, last_prompt,
  prompts, head_start, head_end, commits, diff_stat, headless, synthetic, deliver, busy,
  compactions, failures, corrections, nudged, forgotten, pid, pid_started
) VALUES (
  :tenant, :id, :agent, :agent_session, :parent, :model, :transcript, :scopes, :cwd, :repo,
  :branch, :started_at, :ended_at, :last_event_at, :start_reason, :end_reason, :first_prompt,
  :last_prompt, :prompts, :head_start, :head_end, :commits, :diff_stat, :headless, :synthetic,
  :deliver, :busy, :compactions, :failures, :corrections, :nudged, :forgotten, :pid,
  :pid_started
)
ON CONFLICT (tenant, id) DO UPDATE SET
  agent = excluded.agent, agent_session = excluded.agent_session, parent = excluded.parent,
  model = excluded.model, transcript = excluded.transcript, scopes = excluded.scopes,
  cwd = excluded.cwd, repo = excluded.repo, branch = excluded.branch,
  started_at = excluded.started_at, ended_at = excluded.ended_at,
  last_event_at = excluded.last_event_at, start_reason = excluded.start_reason,
  end_reason = excluded.end_reason, first_prompt = excluded.first_prompt,
  last_prompt = excluded.last_prompt, prompts = excluded.prompts,
  head_start = excluded.head_start, head_end = excluded.head_end, commits = excluded.commits,
  diff_stat = excluded.diff_stat, headless = excluded.headless, synthetic = excluded.synthetic,
  deliver = excluded.deliver, busy = excluded.busy, compactions = excluded.compactions,
  failures = excluded.failures, corrections = excluded.corrections, nudged = excluded.nudged,
  forgotten = excluded.forgotten, pid = excluded.pid, pid_started = excluded.pid_started

-- name: session_get
-- One session.
{session} WHERE tenant = :tenant AND id = :id

-- name: session_by_agent
-- One session by the agent's own id of it.
{session}
WHERE tenant = :tenant AND agent = :agent AND agent_session = :agent_session
  AND agent_session <> ''

-- name: sessions_recent
-- Sessions by their latest event.
{session}
WHERE tenant = :tenant
  AND (CAST(:agent AS TEXT) IS NULL OR agent = :agent)
  AND (:open_only = 0 OR ended_at IS NULL)
ORDER BY last_event_at DESC, id DESC LIMIT :limit

-- name: sessions_recent_in
-- Sessions of a repository by their latest event.
{session}
WHERE tenant = :tenant AND repo = :repo
  AND (CAST(:agent AS TEXT) IS NULL OR agent = :agent)
  AND (:open_only = 0 OR ended_at IS NULL)
ORDER BY last_event_at DESC, id DESC LIMIT :limit

-- name: sessions_mentioning
-- Sessions whose prompts hold a text.
{session}
WHERE tenant = :tenant
  AND ( position(first_prompt, :text) > 0 OR position(last_prompt, :text) > 0)
ORDER BY id

-- name: call_note
-- The session of a tool call.
INSERT INTO session_calls (tenant, agent, call, session, at)
VALUES (:tenant, :agent, :call, :session, :at)
ON CONFLICT (tenant, agent, call) DO UPDATE SET session = excluded.session, at = excluded.at

-- name: call_session
-- Which session it was.
SELECT session FROM session_calls WHERE tenant = :tenant AND agent = :agent AND call = :call

-- name: process_note
-- The newest session of a process.
INSERT INTO session_processes (tenant, agent, pid, started, session, at)
VALUES (:tenant, :agent, :pid, :started, :session, :at)
ON CONFLICT (tenant, agent, pid, started) DO UPDATE SET
  session = excluded.session, at = excluded.at
WHERE excluded.at >= session_processes.at

-- name: process_session
-- Which session it was.
SELECT session FROM session_processes
WHERE tenant = :tenant AND agent = :agent AND pid = :pid AND started = :started

-- name: read_note
-- The newest version that a session was shown.
INSERT INTO session_reads (tenant, session, item, version, at)
VALUES (:tenant, :session, :item, :version, :at)
ON CONFLICT (tenant, session, item) DO UPDATE SET
  version = excluded.version, at = excluded.at
WHERE excluded.version > session_reads.version

-- name: read_version
-- Which version it was.
SELECT version FROM session_reads
WHERE tenant = :tenant AND session = :session AND item = :item

-- name: record_note
-- A spool record that was taken in.
INSERT INTO spool_records (tenant, digest, at) VALUES (:tenant, :digest, :at)
ON CONFLICT (tenant, digest) DO NOTHING

-- name: link_calls
-- A synthetic session's calls are the real one's.
UPDATE session_calls SET session = :real WHERE tenant = :tenant AND session = :synthetic

-- name: link_processes
-- Its processes.
UPDATE session_processes SET session = :real WHERE tenant = :tenant AND session = :synthetic

-- name: link_reads
-- What it read, where the real one had not read a newer version.
INSERT INTO session_reads (tenant, session, item, version, at)
SELECT tenant, CAST(:real AS TEXT), item, version, at FROM session_reads
WHERE tenant = :tenant AND session = :synthetic
ON CONFLICT (tenant, session, item) DO UPDATE SET
  version = excluded.version, at = excluded.at
WHERE excluded.version > session_reads.version

-- name: link_reads_done
-- Its own rows of that.
DELETE FROM session_reads WHERE tenant = :tenant AND session = :synthetic

-- name: link_sightings
-- Its sightings, where the real one has none of the item.
INSERT INTO sightings (tenant, item, session, agent, at, evidence, independent)
SELECT tenant, item, CAST(:real AS TEXT), agent, at, evidence, independent FROM sightings
WHERE tenant = :tenant AND session = :synthetic
ON CONFLICT (tenant, item, session) DO NOTHING

-- name: link_sightings_done
-- Its own rows of that.
DELETE FROM sightings WHERE tenant = :tenant AND session = :synthetic

-- name: link_evidence
-- Its evidence.
UPDATE evidence SET session = :real WHERE tenant = :tenant AND session = :synthetic

-- name: link_feedback
-- Its feedback.
UPDATE feedback SET session = :real WHERE tenant = :tenant AND session = :synthetic

-- name: link_deliveries
-- What was delivered into it.
UPDATE deliveries SET session = :real WHERE tenant = :tenant AND session = :synthetic

-- name: link_handoffs
-- Handoffs from it.
UPDATE handoffs SET session = :real WHERE tenant = :tenant AND session = :synthetic

-- name: link_claims
-- Handoffs that it claimed.
UPDATE handoffs SET claimed_by = :real WHERE tenant = :tenant AND claimed_by = :synthetic
