-- Tenant first in every key, so that the local file and the server share one layout.
-- Times are UTC microseconds. Lists and maps are JSON text. Flags are 0 or 1.
-- A party (writer to proof) stands in the same eleven columns wherever one is named.
--
-- What may never change is guarded for every program that opens the file, whatever its pragmas:
-- a REPLACE deletes without firing a delete trigger, so each guarded table either has no rowid
-- and lets no second row in, or compares the rowid too.

PRAGMA application_id = 1869509221;

CREATE TABLE meta (
  name  TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;
-- The oldest schema number whose code may read or write this one.
INSERT INTO meta (name, value) VALUES ('min_reader', '1'), ('min_writer', '1');

CREATE TABLE items (
  tenant           TEXT NOT NULL,
  id               TEXT NOT NULL,
  scope            TEXT NOT NULL,
  key              TEXT NOT NULL DEFAULT '',
  kind             TEXT NOT NULL,
  status           TEXT NOT NULL,
  verification     TEXT NOT NULL,
  pinned           INTEGER NOT NULL DEFAULT 0,
  tainted          INTEGER NOT NULL DEFAULT 0,
  flags            TEXT NOT NULL DEFAULT '[]',
  replaces         TEXT NOT NULL DEFAULT '',
  replaces_version INTEGER NOT NULL DEFAULT 0,
  head             INTEGER NOT NULL,
  created_at       INTEGER NOT NULL,
  expires_at       INTEGER,
  salt             BLOB NOT NULL,
  delivered        INTEGER NOT NULL DEFAULT 0,
  opened           INTEGER NOT NULL DEFAULT 0,
  helpful          INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant, id),
  CHECK (status IN ('proposed','active','archived','rejected','superseded','forgotten')),
  CHECK (verification IN ('unverified','corroborated','verified','disputed','stale')),
  CHECK (octet_length(key) <= 512)
) STRICT, WITHOUT ROWID;
CREATE INDEX items_by_scope ON items (tenant, scope, status, id);
CREATE INDEX items_by_status ON items (tenant, status, id);
CREATE INDEX items_first ON items (tenant, scope, status, id)
WHERE pinned = 1 OR kind IN ('rule','preference');
CREATE UNIQUE INDEX items_by_key ON items (tenant, scope, key)
WHERE key <> '' AND status = 'active';
CREATE INDEX items_by_any_key ON items (tenant, scope, key) WHERE key <> '';
-- what is due: tasks that are over, proposals that nobody decided
CREATE INDEX items_expiring ON items (tenant, expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX items_waiting ON items (tenant, created_at) WHERE status = 'proposed';
CREATE INDEX items_flagged ON items (tenant, status, id) WHERE flags <> '[]';
CREATE INDEX items_reminding ON items (tenant, scope, status, id)
WHERE kind = 'reminder';
-- people are shown the end of an id, and type it
CREATE INDEX items_by_end ON items (tenant, substr(id, -4));

-- An item keeps its identity: what it was born with, a head that only advances, a salt that is
-- only blanked, and once forgotten its end. No other row takes its id or its address.
CREATE TRIGGER items_once BEFORE INSERT ON items
WHEN EXISTS (SELECT 1 FROM items WHERE tenant = NEW.tenant AND id = NEW.id)
  OR (NEW.key <> '' AND NEW.status = 'active' AND EXISTS (
    SELECT 1 FROM items WHERE tenant = NEW.tenant AND scope = NEW.scope AND key = NEW.key
      AND key <> '' AND status = 'active'))
BEGIN SELECT RAISE(ABORT, 'taken'); END;
CREATE TRIGGER items_keep BEFORE UPDATE ON items BEGIN
  SELECT RAISE(ABORT, 'an item keeps its identity')
  WHERE NOT (
    NEW.tenant = OLD.tenant AND NEW.id = OLD.id AND NEW.created_at = OLD.created_at AND
    NEW.head >= OLD.head AND (NEW.salt = OLD.salt OR NEW.salt = x'') AND
    (OLD.status <> 'forgotten' OR NEW.status = 'forgotten'));
  SELECT RAISE(ABORT, 'taken')
  WHERE NEW.key <> '' AND NEW.status = 'active' AND EXISTS (
    SELECT 1 FROM items WHERE tenant = NEW.tenant AND scope = NEW.scope AND key = NEW.key
      AND key <> '' AND status = 'active' AND id <> NEW.id);
END;
CREATE TRIGGER items_stay BEFORE DELETE ON items
BEGIN SELECT RAISE(ABORT, 'an item is never deleted'); END;

CREATE TABLE versions (
  tenant        TEXT NOT NULL,
  item          TEXT NOT NULL,
  n             INTEGER NOT NULL,
  title         TEXT NOT NULL,
  body          TEXT NOT NULL,
  summary       TEXT NOT NULL DEFAULT '',
  tags          TEXT NOT NULL DEFAULT '[]',
  prompted_by   TEXT NOT NULL DEFAULT '',
  valid_from    INTEGER,
  valid_to      INTEGER,
  recorded_at   INTEGER NOT NULL,
  superseded_at INTEGER,
  writer        TEXT NOT NULL,
  channel       TEXT NOT NULL,
  by_user       TEXT NOT NULL DEFAULT '',
  by_agent      TEXT NOT NULL DEFAULT '',
  by_model      TEXT NOT NULL DEFAULT '',
  by_session    TEXT NOT NULL DEFAULT '',
  by_org        TEXT NOT NULL DEFAULT '',
  by_role       TEXT NOT NULL DEFAULT '',
  headless      INTEGER NOT NULL DEFAULT 0,
  confirmed     INTEGER NOT NULL DEFAULT 0,
  proof         TEXT NOT NULL DEFAULT '{}',
  cwd           TEXT NOT NULL DEFAULT '',
  repo          TEXT NOT NULL DEFAULT '',
  branch        TEXT NOT NULL DEFAULT '',
  commit_id     TEXT NOT NULL DEFAULT '',
  reason        TEXT NOT NULL DEFAULT '',
  digest        BLOB NOT NULL,
  same          BLOB NOT NULL,
  erased_at     INTEGER,
  PRIMARY KEY (tenant, item, n),
  FOREIGN KEY (tenant, item) REFERENCES items (tenant, id),
  CHECK (superseded_at > recorded_at),
  CHECK (valid_to > valid_from)
) STRICT;
CREATE INDEX versions_by_same ON versions (tenant, same);
CREATE UNIQUE INDEX versions_open ON versions (tenant, item) WHERE superseded_at IS NULL;
CREATE INDEX versions_by_session ON versions (tenant, by_session, item)
  WHERE superseded_at IS NULL AND by_session <> '';

-- A version follows the one before, which has its end by then; nothing follows an erasure.
CREATE TRIGGER versions_next BEFORE INSERT ON versions
WHEN NEW.n <> 1 + coalesce(
    (SELECT max(n) FROM versions WHERE tenant = NEW.tenant AND item = NEW.item), 0)
  OR EXISTS (
    SELECT 1 FROM versions
    WHERE tenant = NEW.tenant AND item = NEW.item AND superseded_at IS NULL)
  OR EXISTS (SELECT 1 FROM versions WHERE rowid = NEW.rowid)
  OR (NEW.n > 1 AND 'forgotten' = (
    SELECT status FROM items WHERE tenant = NEW.tenant AND id = NEW.item))
BEGIN SELECT RAISE(ABORT, 'a version follows the one before'); END;
-- A version is immutable: its end is set once, and erasing blanks what it says, once.
CREATE TRIGGER versions_keep BEFORE UPDATE ON versions
WHEN NOT (
  NEW.rowid = OLD.rowid AND NEW.tenant = OLD.tenant AND NEW.item = OLD.item AND NEW.n = OLD.n AND
  NEW.recorded_at = OLD.recorded_at AND NEW.writer = OLD.writer AND
  NEW.channel = OLD.channel AND NEW.by_user = OLD.by_user AND NEW.by_agent = OLD.by_agent
  AND NEW.by_model = OLD.by_model AND NEW.by_session = OLD.by_session AND
  NEW.by_org = OLD.by_org AND NEW.by_role = OLD.by_role AND NEW.headless = OLD.headless AND
  NEW.confirmed = OLD.confirmed AND NEW.proof = OLD.proof
  AND (
    (OLD.superseded_at IS NULL AND NEW.superseded_at IS NOT NULL
     AND NEW.title = OLD.title AND NEW.body = OLD.body AND NEW.summary = OLD.summary AND
     NEW.tags = OLD.tags AND NEW.prompted_by = OLD.prompted_by AND NEW.cwd = OLD.cwd AND
     NEW.repo = OLD.repo AND NEW.branch = OLD.branch AND NEW.commit_id = OLD.commit_id AND
     NEW.reason = OLD.reason AND NEW.digest = OLD.digest AND NEW.same = OLD.same AND
     NEW.valid_from IS OLD.valid_from AND NEW.valid_to IS OLD.valid_to AND
     NEW.erased_at IS OLD.erased_at)
    OR (NEW.superseded_at IS OLD.superseded_at
        AND OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL
        AND NEW.valid_from IS NULL AND NEW.valid_to IS NULL
        AND NEW.title = '' AND NEW.body = '' AND NEW.summary = '' AND NEW.tags = '[]'
        AND NEW.prompted_by = '' AND NEW.cwd = '' AND NEW.repo = '' AND NEW.branch = ''
        AND NEW.commit_id = '' AND NEW.reason = '' AND NEW.digest = x'' AND NEW.same = x'')))
BEGIN SELECT RAISE(ABORT, 'a version is immutable'); END;
CREATE TRIGGER versions_stay BEFORE DELETE ON versions
BEGIN SELECT RAISE(ABORT, 'a version is never deleted'); END;

-- How an item stood from an instant on: written with every change of the item, never touched
-- again. It holds no text, so erasing leaves it.
CREATE TABLE item_states (
  tenant       TEXT NOT NULL,
  item         TEXT NOT NULL,
  n            INTEGER NOT NULL,
  at           INTEGER NOT NULL,
  version      INTEGER NOT NULL,
  scope        TEXT NOT NULL,
  kind         TEXT NOT NULL,
  status       TEXT NOT NULL,
  verification TEXT NOT NULL,
  pinned       INTEGER NOT NULL,
  tainted      INTEGER NOT NULL,
  expires_at   INTEGER,
  PRIMARY KEY (tenant, item, n),
  FOREIGN KEY (tenant, item) REFERENCES items (tenant, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX item_states_by_time ON item_states (tenant, item, at, n);
CREATE TRIGGER item_states_next BEFORE INSERT ON item_states
WHEN NEW.n <> 1 + coalesce(
    (SELECT max(n) FROM item_states WHERE tenant = NEW.tenant AND item = NEW.item), 0)
  OR NEW.at < coalesce(
    (SELECT max(at) FROM item_states WHERE tenant = NEW.tenant AND item = NEW.item), NEW.at)
BEGIN SELECT RAISE(ABORT, 'a state follows the one before'); END;
CREATE TRIGGER item_states_keep BEFORE UPDATE ON item_states
BEGIN SELECT RAISE(ABORT, 'how it stood stays known'); END;
CREATE TRIGGER item_states_stay BEFORE DELETE ON item_states
BEGIN SELECT RAISE(ABORT, 'how it stood stays known'); END;

CREATE TABLE evidence (
  tenant       TEXT NOT NULL,
  id           TEXT NOT NULL,
  item         TEXT NOT NULL,
  version      INTEGER NOT NULL,
  kind         TEXT NOT NULL,
  pointer      TEXT NOT NULL,
  quote        TEXT NOT NULL DEFAULT '',
  digest       BLOB NOT NULL,
  author       TEXT NOT NULL DEFAULT '',
  session      TEXT NOT NULL DEFAULT '',
  at           INTEGER NOT NULL,
  checked_at   INTEGER,
  check_result TEXT NOT NULL DEFAULT '',
  given        INTEGER NOT NULL DEFAULT 0,
  replaced_at  INTEGER,
  PRIMARY KEY (tenant, id),
  FOREIGN KEY (tenant, item) REFERENCES items (tenant, id)
) STRICT;
CREATE INDEX evidence_by_item ON evidence (tenant, item);
CREATE INDEX evidence_by_session ON evidence (tenant, session);
CREATE INDEX evidence_by_pointer ON evidence (tenant, pointer);

CREATE TABLE sightings (
  tenant      TEXT NOT NULL,
  item        TEXT NOT NULL,
  session     TEXT NOT NULL,
  agent       TEXT NOT NULL,
  at          INTEGER NOT NULL,
  evidence    TEXT NOT NULL DEFAULT '',
  independent INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant, item, session),
  FOREIGN KEY (tenant, item) REFERENCES items (tenant, id)
) STRICT;

CREATE TABLE links (
  tenant TEXT NOT NULL,
  source TEXT NOT NULL,
  kind   TEXT NOT NULL,
  target TEXT NOT NULL,
  at     INTEGER NOT NULL,
  PRIMARY KEY (tenant, source, kind, target),
  FOREIGN KEY (tenant, source) REFERENCES items (tenant, id),
  CHECK (octet_length(target) <= 2048)
) STRICT;
CREATE INDEX links_by_target ON links (tenant, target);

CREATE TABLE reviews (
  tenant     TEXT NOT NULL,
  id         TEXT NOT NULL,
  item       TEXT NOT NULL,
  decision   TEXT NOT NULL,
  seen       BLOB NOT NULL,
  became     BLOB NOT NULL,
  reason     TEXT NOT NULL DEFAULT '',
  note       TEXT NOT NULL DEFAULT '',
  writer     TEXT NOT NULL,
  channel    TEXT NOT NULL,
  by_user    TEXT NOT NULL DEFAULT '',
  by_agent   TEXT NOT NULL DEFAULT '',
  by_model   TEXT NOT NULL DEFAULT '',
  by_session TEXT NOT NULL DEFAULT '',
  by_org     TEXT NOT NULL DEFAULT '',
  by_role    TEXT NOT NULL DEFAULT '',
  headless   INTEGER NOT NULL DEFAULT 0,
  confirmed  INTEGER NOT NULL DEFAULT 0,
  proof      TEXT NOT NULL DEFAULT '{}',
  at         INTEGER NOT NULL,
  PRIMARY KEY (tenant, id),
  FOREIGN KEY (tenant, item) REFERENCES items (tenant, id)
) STRICT;
CREATE INDEX reviews_by_item ON reviews (tenant, item);
CREATE INDEX reviews_by_time ON reviews (tenant, at);

CREATE TABLE feedback (
  tenant     TEXT NOT NULL,
  id         TEXT NOT NULL,
  item       TEXT NOT NULL,
  session    TEXT NOT NULL,
  verdict    TEXT NOT NULL,
  note       TEXT NOT NULL DEFAULT '',
  writer     TEXT NOT NULL,
  channel    TEXT NOT NULL,
  by_user    TEXT NOT NULL DEFAULT '',
  by_agent   TEXT NOT NULL DEFAULT '',
  by_model   TEXT NOT NULL DEFAULT '',
  by_session TEXT NOT NULL DEFAULT '',
  by_org     TEXT NOT NULL DEFAULT '',
  by_role    TEXT NOT NULL DEFAULT '',
  headless   INTEGER NOT NULL DEFAULT 0,
  confirmed  INTEGER NOT NULL DEFAULT 0,
  proof      TEXT NOT NULL DEFAULT '{}',
  at         INTEGER NOT NULL,
  PRIMARY KEY (tenant, id),
  FOREIGN KEY (tenant, item) REFERENCES items (tenant, id)
) STRICT;
CREATE INDEX feedback_by_item ON feedback (tenant, item);

CREATE TABLE tombstones (
  tenant     TEXT NOT NULL,
  id         TEXT NOT NULL,
  item       TEXT NOT NULL,
  scope      TEXT NOT NULL,
  reason     TEXT NOT NULL,
  writer     TEXT NOT NULL,
  channel    TEXT NOT NULL,
  by_user    TEXT NOT NULL DEFAULT '',
  by_agent   TEXT NOT NULL DEFAULT '',
  by_model   TEXT NOT NULL DEFAULT '',
  by_session TEXT NOT NULL DEFAULT '',
  by_org     TEXT NOT NULL DEFAULT '',
  by_role    TEXT NOT NULL DEFAULT '',
  headless   INTEGER NOT NULL DEFAULT 0,
  confirmed  INTEGER NOT NULL DEFAULT 0,
  proof      TEXT NOT NULL DEFAULT '{}',
  at         INTEGER NOT NULL,
  key_id     TEXT NOT NULL,
  normaliser INTEGER NOT NULL,
  sketch     BLOB NOT NULL,
  lifted_at  INTEGER,
  lifted_by  TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX tombstones_by_item ON tombstones (tenant, item);

-- A tombstone stays for ever. It is lifted once, as a whole or for one scope and another.
CREATE TRIGGER tombstones_once BEFORE INSERT ON tombstones
WHEN EXISTS (SELECT 1 FROM tombstones WHERE tenant = NEW.tenant AND id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'taken'); END;
CREATE TRIGGER tombstones_keep BEFORE UPDATE ON tombstones
WHEN NOT (
  OLD.lifted_at IS NULL AND NEW.lifted_at IS NOT NULL AND
  NEW.tenant = OLD.tenant AND NEW.id = OLD.id AND NEW.item = OLD.item AND
  NEW.scope = OLD.scope AND NEW.reason = OLD.reason AND NEW.writer = OLD.writer AND
  NEW.channel = OLD.channel AND NEW.by_user = OLD.by_user AND NEW.by_agent = OLD.by_agent AND
  NEW.by_model = OLD.by_model AND NEW.by_session = OLD.by_session AND
  NEW.by_org = OLD.by_org AND NEW.by_role = OLD.by_role AND NEW.headless = OLD.headless AND
  NEW.confirmed = OLD.confirmed AND NEW.proof = OLD.proof AND NEW.at = OLD.at AND
  NEW.key_id = OLD.key_id AND NEW.normaliser = OLD.normaliser AND NEW.sketch = OLD.sketch)
BEGIN SELECT RAISE(ABORT, 'a tombstone stays'); END;
CREATE TRIGGER tombstones_stay BEFORE DELETE ON tombstones
BEGIN SELECT RAISE(ABORT, 'a tombstone stays'); END;

CREATE TABLE tombstone_lifts (
  tenant    TEXT NOT NULL,
  tombstone TEXT NOT NULL,
  scope     TEXT NOT NULL,
  at        INTEGER NOT NULL,
  by        TEXT NOT NULL,
  PRIMARY KEY (tenant, tombstone, scope),
  FOREIGN KEY (tenant, tombstone) REFERENCES tombstones (tenant, id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER tombstone_lifts_once BEFORE INSERT ON tombstone_lifts
WHEN EXISTS (
  SELECT 1 FROM tombstone_lifts
  WHERE tenant = NEW.tenant AND tombstone = NEW.tombstone AND scope = NEW.scope)
BEGIN SELECT RAISE(IGNORE); END;
CREATE TRIGGER tombstone_lifts_keep BEFORE UPDATE ON tombstone_lifts
BEGIN SELECT RAISE(ABORT, 'what was lifted stays so'); END;
CREATE TRIGGER tombstone_lifts_stay BEFORE DELETE ON tombstone_lifts
BEGIN SELECT RAISE(ABORT, 'what was lifted stays so'); END;

CREATE TABLE tombstone_prints (
  tenant    TEXT NOT NULL,
  tombstone TEXT NOT NULL,
  part      TEXT NOT NULL,
  value     BLOB NOT NULL,
  PRIMARY KEY (tenant, value, part, tombstone),
  FOREIGN KEY (tenant, tombstone) REFERENCES tombstones (tenant, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX tombstone_prints_by_tombstone ON tombstone_prints (tenant, tombstone);
-- a second row of the same key is the same row
CREATE TRIGGER tombstone_prints_keep BEFORE UPDATE ON tombstone_prints
BEGIN SELECT RAISE(ABORT, 'a tombstone stays'); END;
CREATE TRIGGER tombstone_prints_stay BEFORE DELETE ON tombstone_prints
BEGIN SELECT RAISE(ABORT, 'a tombstone stays'); END;

CREATE TABLE erased_keys (
  tenant TEXT NOT NULL,
  value  BLOB NOT NULL,
  at     INTEGER NOT NULL,
  PRIMARY KEY (tenant, value)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER erased_keys_once BEFORE INSERT ON erased_keys
WHEN EXISTS (SELECT 1 FROM erased_keys WHERE tenant = NEW.tenant AND value = NEW.value)
BEGIN SELECT RAISE(IGNORE); END;
CREATE TRIGGER erased_keys_keep BEFORE UPDATE ON erased_keys
BEGIN SELECT RAISE(ABORT, 'an erased key stays known'); END;
CREATE TRIGGER erased_keys_stay BEFORE DELETE ON erased_keys
BEGIN SELECT RAISE(ABORT, 'an erased key stays known'); END;

CREATE TABLE events (
  tenant     TEXT NOT NULL,
  seq        INTEGER NOT NULL,
  at         INTEGER NOT NULL,
  writer     TEXT NOT NULL,
  channel    TEXT NOT NULL,
  by_user    TEXT NOT NULL DEFAULT '',
  by_agent   TEXT NOT NULL DEFAULT '',
  by_model   TEXT NOT NULL DEFAULT '',
  by_session TEXT NOT NULL DEFAULT '',
  by_org     TEXT NOT NULL DEFAULT '',
  by_role    TEXT NOT NULL DEFAULT '',
  headless   INTEGER NOT NULL DEFAULT 0,
  confirmed  INTEGER NOT NULL DEFAULT 0,
  proof      TEXT NOT NULL DEFAULT '{}',
  action     TEXT NOT NULL,
  target     TEXT NOT NULL DEFAULT '',
  fields     TEXT NOT NULL DEFAULT '[]',
  before     INTEGER NOT NULL DEFAULT 0,
  after      INTEGER NOT NULL DEFAULT 0,
  change     TEXT NOT NULL DEFAULT '{}',
  code       TEXT NOT NULL DEFAULT '',
  count      INTEGER NOT NULL DEFAULT 1,
  undoes     INTEGER NOT NULL DEFAULT 0,
  batch      TEXT NOT NULL DEFAULT '',
  commitment BLOB NOT NULL,
  prev_hash  BLOB NOT NULL,
  hash       BLOB NOT NULL,
  PRIMARY KEY (tenant, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX events_by_target ON events (tenant, target, seq);
CREATE INDEX events_by_batch ON events (tenant, batch, seq) WHERE batch <> '';
-- The log only grows, by the line that follows the last one and names its hash.
CREATE TRIGGER events_next BEFORE INSERT ON events
WHEN NEW.seq <> 1 + coalesce((SELECT max(seq) FROM events WHERE tenant = NEW.tenant), 0)
  OR NEW.prev_hash <> coalesce(
    (SELECT hash FROM events WHERE tenant = NEW.tenant AND seq = NEW.seq - 1), zeroblob(32))
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER events_keep BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER events_stay BEFORE DELETE ON events
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;

CREATE TABLE refusals (
  tenant TEXT NOT NULL,
  party  TEXT NOT NULL,
  rule   TEXT NOT NULL,
  minute INTEGER NOT NULL,
  count  INTEGER NOT NULL,
  PRIMARY KEY (tenant, party, rule, minute)
) STRICT;

CREATE TABLE sessions (
  tenant        TEXT NOT NULL,
  id            TEXT NOT NULL,
  agent         TEXT NOT NULL,
  agent_session TEXT NOT NULL DEFAULT '',
  parent        TEXT NOT NULL DEFAULT '',
  model         TEXT NOT NULL DEFAULT '',
  transcript    TEXT NOT NULL DEFAULT '',
  scopes        TEXT NOT NULL DEFAULT '[]',
  cwd           TEXT NOT NULL DEFAULT '',
  repo          TEXT NOT NULL DEFAULT '',
  branch        TEXT NOT NULL DEFAULT '',
  started_at    INTEGER NOT NULL,
  ended_at      INTEGER,
  last_event_at INTEGER NOT NULL,
  start_reason  TEXT NOT NULL DEFAULT '',
  end_reason    TEXT NOT NULL DEFAULT '',
  first_prompt  TEXT NOT NULL DEFAULT '',
  last_prompt   TEXT NOT NULL DEFAULT '',
  prompts       INTEGER NOT NULL DEFAULT 0,
  head_start    TEXT NOT NULL DEFAULT '',
  head_end      TEXT NOT NULL DEFAULT '',
  commits       TEXT NOT NULL DEFAULT '[]',
  diff_stat     TEXT NOT NULL DEFAULT '',
  headless      INTEGER NOT NULL DEFAULT 0,
  synthetic     INTEGER NOT NULL DEFAULT 0,
  deliver       INTEGER NOT NULL DEFAULT 1,
  busy          INTEGER NOT NULL DEFAULT 0,
  compactions   INTEGER NOT NULL DEFAULT 0,
  failures      INTEGER NOT NULL DEFAULT 0,
  corrections   INTEGER NOT NULL DEFAULT 0,
  nudged        INTEGER NOT NULL DEFAULT 0,
  forgotten     INTEGER NOT NULL DEFAULT 0,
  pid           INTEGER NOT NULL DEFAULT 0,
  pid_started   INTEGER NOT NULL DEFAULT 0,
  compacted_at  INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant, id)
) STRICT;
CREATE UNIQUE INDEX sessions_by_agent ON sessions (tenant, agent, agent_session)
WHERE agent_session <> '';
CREATE INDEX sessions_by_time ON sessions (tenant, last_event_at);
CREATE INDEX sessions_by_repo ON sessions (tenant, repo, last_event_at);
CREATE INDEX sessions_by_parent ON sessions (tenant, parent) WHERE parent <> '';

CREATE TABLE session_calls (
  tenant  TEXT NOT NULL,
  agent   TEXT NOT NULL,
  call    TEXT NOT NULL,
  session TEXT NOT NULL,
  at      INTEGER NOT NULL,
  PRIMARY KEY (tenant, agent, call)
) STRICT, WITHOUT ROWID;

CREATE TABLE session_processes (
  tenant  TEXT NOT NULL,
  agent   TEXT NOT NULL,
  pid     INTEGER NOT NULL,
  started INTEGER NOT NULL,
  session TEXT NOT NULL,
  at      INTEGER NOT NULL,
  PRIMARY KEY (tenant, agent, pid, started)
) STRICT, WITHOUT ROWID;

CREATE TABLE session_reads (
  tenant  TEXT NOT NULL,
  session TEXT NOT NULL,
  item    TEXT NOT NULL,
  version INTEGER NOT NULL,
  at      INTEGER NOT NULL,
  PRIMARY KEY (tenant, session, item)
) STRICT, WITHOUT ROWID;

CREATE TABLE spool_records (
  tenant TEXT NOT NULL,
  digest BLOB NOT NULL,
  at     INTEGER NOT NULL,
  PRIMARY KEY (tenant, digest)
) STRICT, WITHOUT ROWID;

CREATE TABLE handoffs (
  tenant          TEXT NOT NULL,
  item            TEXT NOT NULL,
  session         TEXT NOT NULL DEFAULT '',
  to_agent        TEXT NOT NULL DEFAULT '',
  done            TEXT NOT NULL DEFAULT '',
  state           TEXT NOT NULL DEFAULT '',
  next            TEXT NOT NULL DEFAULT '',
  questions       TEXT NOT NULL DEFAULT '',
  repo            TEXT NOT NULL DEFAULT '',
  branch          TEXT NOT NULL DEFAULT '',
  head            TEXT NOT NULL DEFAULT '',
  dirty           TEXT NOT NULL DEFAULT '{}',
  status          TEXT NOT NULL,
  automatic       INTEGER NOT NULL DEFAULT 0,
  created_at      INTEGER NOT NULL,
  lapses_at       INTEGER NOT NULL,
  claimed_by      TEXT NOT NULL DEFAULT '',
  claimed_at      INTEGER,
  lease_until     INTEGER,
  acknowledged_at INTEGER,
  PRIMARY KEY (tenant, item),
  FOREIGN KEY (tenant, item) REFERENCES items (tenant, id),
  CHECK (status IN ('open','claimed','acknowledged','expired','cancelled','replaced'))
) STRICT;
CREATE INDEX handoffs_by_repo ON handoffs (tenant, repo, status, created_at);
CREATE INDEX handoffs_by_session ON handoffs (tenant, session);
CREATE INDEX handoffs_by_claim ON handoffs (tenant, claimed_by);
CREATE INDEX handoffs_by_lapse ON handoffs (tenant, status, lapses_at);

CREATE TABLE deliveries (
  tenant   TEXT NOT NULL,
  id       TEXT NOT NULL,
  session  TEXT NOT NULL DEFAULT '',
  channel  TEXT NOT NULL,
  occasion TEXT NOT NULL,
  at       INTEGER NOT NULL,
  budget   INTEGER NOT NULL,
  tokens   INTEGER NOT NULL,
  query    TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (tenant, id)
) STRICT;
CREATE INDEX deliveries_by_session ON deliveries (tenant, session, at);

CREATE TABLE delivery_items (
  tenant   TEXT NOT NULL,
  delivery TEXT NOT NULL,
  item     TEXT NOT NULL,
  version  INTEGER NOT NULL,
  rank     INTEGER NOT NULL,
  score    REAL NOT NULL DEFAULT 0,
  parts    TEXT NOT NULL DEFAULT '{}',
  tokens   INTEGER NOT NULL DEFAULT 0,
  shown    INTEGER NOT NULL,
  why      TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (tenant, delivery, item),
  FOREIGN KEY (tenant, delivery) REFERENCES deliveries (tenant, id)
) STRICT;
CREATE INDEX delivery_items_by_item ON delivery_items (tenant, item);

CREATE TABLE scopes (
  tenant     TEXT NOT NULL,
  name       TEXT NOT NULL,
  -- names the scope inside the lexical index
  n          INTEGER NOT NULL,
  -- NULL while only the index knows the name
  first_seen INTEGER,
  PRIMARY KEY (tenant, name),
  UNIQUE (tenant, n)
) STRICT;

CREATE TABLE scope_aliases (
  tenant TEXT NOT NULL,
  old    TEXT NOT NULL,
  new    TEXT NOT NULL,
  at     INTEGER NOT NULL,
  PRIMARY KEY (tenant, old)
) STRICT;

CREATE TABLE settings (
  tenant TEXT NOT NULL,
  name   TEXT NOT NULL,
  scope  TEXT NOT NULL,
  value  TEXT NOT NULL,
  at     INTEGER NOT NULL,
  by     TEXT NOT NULL,
  PRIMARY KEY (tenant, name, scope)
) STRICT;

CREATE TABLE outbox (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant  TEXT NOT NULL,
  kind    TEXT NOT NULL,
  item    TEXT NOT NULL,
  version INTEGER NOT NULL,
  at      INTEGER NOT NULL
) STRICT;
CREATE INDEX outbox_by_kind ON outbox (tenant, kind, id);

CREATE TABLE answers (
  tenant  TEXT NOT NULL,
  party   TEXT NOT NULL,
  key     TEXT NOT NULL,
  request BLOB NOT NULL,
  answer  TEXT NOT NULL,
  item    TEXT NOT NULL DEFAULT '',
  at      INTEGER NOT NULL,
  PRIMARY KEY (tenant, party, key),
  CHECK (length(key) <= 200)
) STRICT;
CREATE INDEX answers_by_item ON answers (tenant, item);

-- Derived: everything below can be made again from versions.
-- `place` names scope and state as one word, so that both stand inside the match:
-- s<scope n>a for what is live, s<scope n>h for the rest.
-- The index's own secure-delete is off: it leaves rows findable that were deleted (SQLite
-- 3.54). Scrubbing merges the index into one segment instead, which holds what is left alone.
CREATE TABLE documents (
  doc     INTEGER PRIMARY KEY,
  tenant  TEXT NOT NULL,
  item    TEXT NOT NULL,
  version INTEGER NOT NULL,
  place   TEXT NOT NULL,
  title   TEXT NOT NULL,
  body    TEXT NOT NULL,
  tags    TEXT NOT NULL,
  terms   TEXT NOT NULL,
  context TEXT NOT NULL,
  UNIQUE (tenant, item, version)
) STRICT;
CREATE VIRTUAL TABLE document_index USING fts5(
  place, title, body, tags, terms, context,
  content = 'documents', content_rowid = 'doc',
  tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE TRIGGER documents_added AFTER INSERT ON documents BEGIN
  INSERT INTO document_index (rowid, place, title, body, tags, terms, context)
  VALUES (NEW.doc, NEW.place, NEW.title, NEW.body, NEW.tags, NEW.terms, NEW.context);
END;
CREATE TRIGGER documents_dropped AFTER DELETE ON documents BEGIN
  INSERT INTO document_index (document_index, rowid, place, title, body, tags, terms, context)
  VALUES ('delete', OLD.doc, OLD.place, OLD.title, OLD.body, OLD.tags, OLD.terms, OLD.context);
END;
CREATE TRIGGER documents_changed AFTER UPDATE ON documents BEGIN
  INSERT INTO document_index (document_index, rowid, place, title, body, tags, terms, context)
  VALUES ('delete', OLD.doc, OLD.place, OLD.title, OLD.body, OLD.tags, OLD.terms, OLD.context);
  INSERT INTO document_index (rowid, place, title, body, tags, terms, context)
  VALUES (NEW.doc, NEW.place, NEW.title, NEW.body, NEW.tags, NEW.terms, NEW.context);
END;

-- The models that vectors were made with; one space is the current one. Vectors of two spaces are
-- never compared.
CREATE TABLE embedding_spaces (
  tenant     TEXT NOT NULL,
  id         TEXT NOT NULL,
  model      TEXT NOT NULL,
  digest     TEXT NOT NULL,
  dimension  INTEGER NOT NULL,
  pooling    TEXT NOT NULL,
  form       TEXT NOT NULL,
  made_at    INTEGER NOT NULL,
  is_current INTEGER NOT NULL,
  -- how often what may be told of its vectors changed
  revision   INTEGER NOT NULL,
  PRIMARY KEY (tenant, id),
  -- the same may be made anew beside the one in use
  UNIQUE (tenant, model, digest, dimension, pooling, form, is_current)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX embedding_spaces_current ON embedding_spaces (tenant) WHERE is_current = 1;

-- A piece of an item's text as a direction: signed bytes.
CREATE TABLE vectors (
  tenant  TEXT NOT NULL,
  space   TEXT NOT NULL,
  item    TEXT NOT NULL,
  piece   INTEGER NOT NULL,
  version INTEGER NOT NULL,
  vector  BLOB NOT NULL,
  PRIMARY KEY (tenant, space, item, piece),
  FOREIGN KEY (tenant, space) REFERENCES embedding_spaces (tenant, id),
  FOREIGN KEY (tenant, item) REFERENCES items (tenant, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX vectors_by_item ON vectors (tenant, item);

-- What the planner is to expect. All keys begin with the tenant, which it takes for selective
-- where nothing tells; a local file has one. Fixed figures keep plans the same for everyone.
ANALYZE meta;
DELETE FROM sqlite_stat1;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('items', 'items', '100000 100000 1'),
  ('items', 'items_by_scope', '100000 100000 5000 1000 1'),
  ('items', 'items_by_status', '100000 100000 20000 1'),
  ('items', 'items_first', '2000 2000 100 80 1'),
  ('items', 'items_by_key', '20000 20000 500 1'),
  ('items', 'items_by_any_key', '20000 20000 500 2'),
  ('items', 'items_expiring', '20000 20000 1'),
  ('items', 'items_waiting', '5000 5000 1'),
  ('items', 'items_flagged', '1000 1000 500 1'),
  ('items', 'items_reminding', '100 100 10 8 1'),
  ('items', 'items_by_end', '100000 100000 2'),
  ('versions', 'sqlite_autoindex_versions_1', '150000 150000 2 1'),
  ('versions', 'versions_by_same', '150000 150000 2'),
  ('versions', 'versions_open', '100000 100000 1'),
  ('versions', 'versions_by_session', '50000 50000 5 1'),
  ('evidence', 'sqlite_autoindex_evidence_1', '100000 100000 1'),
  ('evidence', 'evidence_by_item', '100000 100000 2'),
  ('evidence', 'evidence_by_session', '100000 100000 20'),
  ('evidence', 'evidence_by_pointer', '100000 100000 3'),
  ('sightings', 'sqlite_autoindex_sightings_1', '100000 100000 2 1'),
  ('links', 'sqlite_autoindex_links_1', '100000 100000 3 2 1'),
  ('links', 'links_by_target', '100000 100000 3'),
  ('reviews', 'sqlite_autoindex_reviews_1', '10000 10000 1'),
  ('reviews', 'reviews_by_item', '10000 10000 2'),
  ('reviews', 'reviews_by_time', '10000 10000 1'),
  ('feedback', 'sqlite_autoindex_feedback_1', '10000 10000 1'),
  ('feedback', 'feedback_by_item', '10000 10000 2'),
  ('tombstones', 'tombstones', '10000 10000 1'),
  ('tombstones', 'tombstones_by_item', '10000 10000 2'),
  ('tombstone_lifts', 'tombstone_lifts', '1000 1000 2 1'),
  ('tombstone_prints', 'tombstone_prints', '50000 50000 2 1 1'),
  ('tombstone_prints', 'tombstone_prints_by_tombstone', '50000 50000 5 1 1'),
  ('events', 'events', '500000 500000 1'),
  ('events', 'events_by_target', '500000 500000 5 1'),
  ('events', 'events_by_batch', '50000 50000 100 1'),
  ('sessions', 'sqlite_autoindex_sessions_1', '10000 10000 1'),
  ('sessions', 'sessions_by_agent', '10000 10000 3000 1'),
  ('sessions', 'sessions_by_time', '10000 10000 1'),
  ('sessions', 'sessions_by_repo', '10000 10000 200 1'),
  ('sessions', 'sessions_by_parent', '5000 5000 2'),
  ('session_reads', 'session_reads', '100000 100000 10 1'),
  ('handoffs', 'sqlite_autoindex_handoffs_1', '10000 10000 1'),
  ('handoffs', 'handoffs_by_repo', '10000 10000 200 50 1'),
  ('handoffs', 'handoffs_by_session', '10000 10000 2'),
  ('handoffs', 'handoffs_by_claim', '10000 10000 5'),
  ('handoffs', 'handoffs_by_lapse', '10000 10000 2000 1'),
  ('outbox', 'outbox_by_kind', '1000 1000 300 1'),
  ('deliveries', 'sqlite_autoindex_deliveries_1', '100000 100000 1'),
  ('deliveries', 'deliveries_by_session', '100000 100000 10 1'),
  ('delivery_items', 'sqlite_autoindex_delivery_items_1', '1000000 1000000 10 1'),
  ('delivery_items', 'delivery_items_by_item', '1000000 1000000 10'),
  ('answers', 'sqlite_autoindex_answers_1', '50000 50000 10000 1'),
  ('answers', 'answers_by_item', '50000 50000 2'),
  ('documents', 'sqlite_autoindex_documents_1', '150000 150000 2 1'),
  ('embedding_spaces', 'embedding_spaces', '2 2 1'),
  ('vectors', 'vectors', '150000 150000 100000 2 1'),
  ('vectors', 'vectors_by_item', '150000 150000 2 1 1');
