-- The twin of the file's schema of the same number: tenant first in every key, text in the
-- order of its code points.
-- Times are UTC microseconds. Lists and maps are JSON text. Flags are 0 or 1.
-- A party (writer to proof) stands in the same eleven columns wherever one is named.

CREATE TABLE meta (
  name  TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  value TEXT COLLATE "C" NOT NULL
);
-- The oldest schema number whose code may read or write this one.
INSERT INTO meta (name, value)
VALUES ('schema', '1'), ('min_reader', '1'), ('min_writer', '1');

CREATE TABLE items (
  tenant           TEXT COLLATE "C" NOT NULL,
  id               TEXT COLLATE "C" NOT NULL,
  scope            TEXT COLLATE "C" NOT NULL,
  key              TEXT COLLATE "C" NOT NULL DEFAULT '',
  kind             TEXT COLLATE "C" NOT NULL,
  status           TEXT COLLATE "C" NOT NULL,
  verification     TEXT COLLATE "C" NOT NULL,
  pinned           BIGINT NOT NULL DEFAULT 0,
  tainted          BIGINT NOT NULL DEFAULT 0,
  flags            TEXT COLLATE "C" NOT NULL DEFAULT '[]',
  replaces         TEXT COLLATE "C" NOT NULL DEFAULT '',
  replaces_version BIGINT NOT NULL DEFAULT 0,
  head             BIGINT NOT NULL,
  created_at       BIGINT NOT NULL,
  expires_at       BIGINT,
  salt             BYTEA NOT NULL,
  delivered        BIGINT NOT NULL DEFAULT 0,
  opened           BIGINT NOT NULL DEFAULT 0,
  helpful          BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant, id),
  CHECK (status IN ('proposed','active','archived','rejected','superseded','forgotten')),
  CHECK (verification IN ('unverified','corroborated','verified','disputed','stale')),
  CHECK (octet_length(key) <= 512)
);
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
CREATE INDEX items_by_end ON items (tenant, right(id, 4));

-- Every guard is ALWAYS enabled: a session in the role of a replica meets it too.
CREATE FUNCTION never() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of % are never changed so', TG_TABLE_NAME;
END $$;

-- An item keeps its identity: what it was born with, a head that only advances, a salt that is
-- only blanked, and once forgotten its end.
CREATE FUNCTION items_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT (
    NEW.tenant = OLD.tenant AND NEW.id = OLD.id AND NEW.created_at = OLD.created_at AND
    NEW.head >= OLD.head AND (NEW.salt = OLD.salt OR NEW.salt = '') AND
    (OLD.status <> 'forgotten' OR NEW.status = 'forgotten')) THEN
    RAISE EXCEPTION 'an item keeps its identity';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER items_keep BEFORE UPDATE ON items
FOR EACH ROW EXECUTE FUNCTION items_keep();
CREATE TRIGGER items_stay BEFORE DELETE ON items FOR EACH ROW EXECUTE FUNCTION never();
CREATE TRIGGER items_all BEFORE TRUNCATE ON items FOR EACH STATEMENT EXECUTE FUNCTION never();
ALTER TABLE items ENABLE ALWAYS TRIGGER items_keep;
ALTER TABLE items ENABLE ALWAYS TRIGGER items_stay;
ALTER TABLE items ENABLE ALWAYS TRIGGER items_all;

CREATE TABLE versions (
  tenant        TEXT COLLATE "C" NOT NULL,
  item          TEXT COLLATE "C" NOT NULL,
  n             BIGINT NOT NULL,
  title         TEXT COLLATE "C" NOT NULL,
  body          TEXT COLLATE "C" NOT NULL,
  summary       TEXT COLLATE "C" NOT NULL DEFAULT '',
  tags          TEXT COLLATE "C" NOT NULL DEFAULT '[]',
  prompted_by   TEXT COLLATE "C" NOT NULL DEFAULT '',
  valid_from    BIGINT,
  valid_to      BIGINT,
  recorded_at   BIGINT NOT NULL,
  superseded_at BIGINT,
  writer        TEXT COLLATE "C" NOT NULL,
  channel       TEXT COLLATE "C" NOT NULL,
  by_user       TEXT COLLATE "C" NOT NULL DEFAULT '',
  by_agent      TEXT COLLATE "C" NOT NULL DEFAULT '',
  by_model      TEXT COLLATE "C" NOT NULL DEFAULT '',
  by_session    TEXT COLLATE "C" NOT NULL DEFAULT '',
  by_org        TEXT COLLATE "C" NOT NULL DEFAULT '',
  by_role       TEXT COLLATE "C" NOT NULL DEFAULT '',
  headless      BIGINT NOT NULL DEFAULT 0,
  confirmed     BIGINT NOT NULL DEFAULT 0,
  proof         TEXT COLLATE "C" NOT NULL DEFAULT '{}',
  cwd           TEXT COLLATE "C" NOT NULL DEFAULT '',
  repo          TEXT COLLATE "C" NOT NULL DEFAULT '',
  branch        TEXT COLLATE "C" NOT NULL DEFAULT '',
  commit_id     TEXT COLLATE "C" NOT NULL DEFAULT '',
  reason        TEXT COLLATE "C" NOT NULL DEFAULT '',
  digest        BYTEA NOT NULL,
  same          BYTEA NOT NULL,
  erased_at     BIGINT,
  PRIMARY KEY (tenant, item, n),
  FOREIGN KEY (tenant, item) REFERENCES items (tenant, id),
  CHECK (superseded_at > recorded_at),
  CHECK (valid_to > valid_from)
);
CREATE INDEX versions_by_same ON versions (tenant, same);
CREATE UNIQUE INDEX versions_open ON versions (tenant, item) WHERE superseded_at IS NULL;
CREATE INDEX versions_by_session ON versions (tenant, by_session, item)
  WHERE superseded_at IS NULL AND by_session <> '';

-- A version follows the one before, which has its end by then; nothing follows an erasure.
CREATE FUNCTION versions_next() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.n <> 1 + coalesce(
      (SELECT max(n) FROM versions WHERE tenant = NEW.tenant AND item = NEW.item), 0)
    OR EXISTS (
      SELECT 1 FROM versions
      WHERE tenant = NEW.tenant AND item = NEW.item AND superseded_at IS NULL)
    OR (NEW.n > 1 AND 'forgotten' = (
      SELECT status FROM items WHERE tenant = NEW.tenant AND id = NEW.item)) THEN
    RAISE EXCEPTION 'a version follows the one before';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER versions_next BEFORE INSERT ON versions
FOR EACH ROW EXECUTE FUNCTION versions_next();
-- A version is immutable: its end is set once, and erasing blanks what it says, once.
CREATE FUNCTION versions_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT (
    NEW.tenant = OLD.tenant AND NEW.item = OLD.item AND NEW.n = OLD.n AND
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
       NEW.valid_from IS NOT DISTINCT FROM OLD.valid_from AND
       NEW.valid_to IS NOT DISTINCT FROM OLD.valid_to AND
       NEW.erased_at IS NOT DISTINCT FROM OLD.erased_at)
      OR (NEW.superseded_at IS NOT DISTINCT FROM OLD.superseded_at
          AND OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL
          AND NEW.valid_from IS NULL AND NEW.valid_to IS NULL
          AND NEW.title = '' AND NEW.body = '' AND NEW.summary = '' AND NEW.tags = '[]'
          AND NEW.prompted_by = '' AND NEW.cwd = '' AND NEW.repo = '' AND NEW.branch = ''
          AND NEW.commit_id = '' AND NEW.reason = '' AND NEW.digest = ''
          AND NEW.same = ''))) THEN
    RAISE EXCEPTION 'a version is immutable';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER versions_keep BEFORE UPDATE ON versions
FOR EACH ROW EXECUTE FUNCTION versions_keep();
CREATE TRIGGER versions_stay BEFORE DELETE ON versions
FOR EACH ROW EXECUTE FUNCTION never();
CREATE TRIGGER versions_all BEFORE TRUNCATE ON versions
FOR EACH STATEMENT EXECUTE FUNCTION never();
ALTER TABLE versions ENABLE ALWAYS TRIGGER versions_next;
ALTER TABLE versions ENABLE ALWAYS TRIGGER versions_keep;
ALTER TABLE versions ENABLE ALWAYS TRIGGER versions_stay;
ALTER TABLE versions ENABLE ALWAYS TRIGGER versions_all;

-- How an item stood from an instant on: written with every change of the item, never touched
-- again. It holds no text, so erasing leaves it.
CREATE TABLE item_states (
  tenant       TEXT COLLATE "C" NOT NULL,
  item         TEXT COLLATE "C" NOT NULL,
  n            BIGINT NOT NULL,
  at           BIGINT NOT NULL,
  version      BIGINT NOT NULL,
  scope        TEXT COLLATE "C" NOT NULL,
  kind         TEXT COLLATE "C" NOT NULL,
  status       TEXT COLLATE "C" NOT NULL,
  verification TEXT COLLATE "C" NOT NULL,
  pinned       BIGINT NOT NULL,
  tainted      BIGINT NOT NULL,
  expires_at   BIGINT,
  PRIMARY KEY (tenant, item, n),
  FOREIGN KEY (tenant, item) REFERENCES items (tenant, id)
);
CREATE INDEX item_states_by_time ON item_states (tenant, item, at, n);
CREATE FUNCTION item_states_next() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.n <> 1 + coalesce(
      (SELECT max(n) FROM item_states WHERE tenant = NEW.tenant AND item = NEW.item), 0)
    OR NEW.at < coalesce(
      (SELECT max(at) FROM item_states WHERE tenant = NEW.tenant AND item = NEW.item), NEW.at)
    THEN
    RAISE EXCEPTION 'a state follows the one before';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER item_states_next BEFORE INSERT ON item_states
FOR EACH ROW EXECUTE FUNCTION item_states_next();
CREATE TRIGGER item_states_keep BEFORE UPDATE OR DELETE ON item_states
FOR EACH ROW EXECUTE FUNCTION never();
CREATE TRIGGER item_states_all BEFORE TRUNCATE ON item_states
FOR EACH STATEMENT EXECUTE FUNCTION never();
ALTER TABLE item_states ENABLE ALWAYS TRIGGER item_states_next;
ALTER TABLE item_states ENABLE ALWAYS TRIGGER item_states_keep;
ALTER TABLE item_states ENABLE ALWAYS TRIGGER item_states_all;

CREATE TABLE evidence (
  tenant       TEXT COLLATE "C" NOT NULL,
  id           TEXT COLLATE "C" NOT NULL,
  item         TEXT COLLATE "C" NOT NULL,
  version      BIGINT NOT NULL,
  kind         TEXT COLLATE "C" NOT NULL,
  pointer      TEXT COLLATE "C" NOT NULL,
  quote        TEXT COLLATE "C" NOT NULL DEFAULT '',
  digest       BYTEA NOT NULL,
  author       TEXT COLLATE "C" NOT NULL DEFAULT '',
  session      TEXT COLLATE "C" NOT NULL DEFAULT '',
  at           BIGINT NOT NULL,
  checked_at   BIGINT,
  check_result TEXT COLLATE "C" NOT NULL DEFAULT '',
  given        BIGINT NOT NULL DEFAULT 0,
  replaced_at  BIGINT,
  PRIMARY KEY (tenant, id),
  FOREIGN KEY (tenant, item) REFERENCES items (tenant, id)
);
CREATE INDEX evidence_by_item ON evidence (tenant, item);
CREATE INDEX evidence_by_session ON evidence (tenant, session);
-- a pointer may be longer than an entry of an index
CREATE INDEX evidence_by_pointer ON evidence (tenant, md5(pointer));

CREATE TABLE sightings (
  tenant      TEXT COLLATE "C" NOT NULL,
  item        TEXT COLLATE "C" NOT NULL,
  session     TEXT COLLATE "C" NOT NULL,
  agent       TEXT COLLATE "C" NOT NULL,
  at          BIGINT NOT NULL,
  evidence    TEXT COLLATE "C" NOT NULL DEFAULT '',
  independent BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant, item, session),
  FOREIGN KEY (tenant, item) REFERENCES items (tenant, id)
);

CREATE TABLE links (
  tenant TEXT COLLATE "C" NOT NULL,
  source TEXT COLLATE "C" NOT NULL,
  kind   TEXT COLLATE "C" NOT NULL,
  target TEXT COLLATE "C" NOT NULL,
  at     BIGINT NOT NULL,
  PRIMARY KEY (tenant, source, kind, target),
  FOREIGN KEY (tenant, source) REFERENCES items (tenant, id),
  CHECK (octet_length(target) <= 2048)
);
CREATE INDEX links_by_target ON links (tenant, target);

CREATE TABLE reviews (
  tenant     TEXT COLLATE "C" NOT NULL,
  id         TEXT COLLATE "C" NOT NULL,
  item       TEXT COLLATE "C" NOT NULL,
  decision   TEXT COLLATE "C" NOT NULL,
  seen       BYTEA NOT NULL,
  became     BYTEA NOT NULL,
  reason     TEXT COLLATE "C" NOT NULL DEFAULT '',
  note       TEXT COLLATE "C" NOT NULL DEFAULT '',
  writer     TEXT COLLATE "C" NOT NULL,
  channel    TEXT COLLATE "C" NOT NULL,
  by_user    TEXT COLLATE "C" NOT NULL DEFAULT '',
  by_agent   TEXT COLLATE "C" NOT NULL DEFAULT '',
  by_model   TEXT COLLATE "C" NOT NULL DEFAULT '',
  by_session TEXT COLLATE "C" NOT NULL DEFAULT '',
  by_org     TEXT COLLATE "C" NOT NULL DEFAULT '',
  by_role    TEXT COLLATE "C" NOT NULL DEFAULT '',
  headless   BIGINT NOT NULL DEFAULT 0,
  confirmed  BIGINT NOT NULL DEFAULT 0,
  proof      TEXT COLLATE "C" NOT NULL DEFAULT '{}',
  at         BIGINT NOT NULL,
  PRIMARY KEY (tenant, id),
  FOREIGN KEY (tenant, item) REFERENCES items (tenant, id)
);
CREATE INDEX reviews_by_item ON reviews (tenant, item);
CREATE INDEX reviews_by_time ON reviews (tenant, at);

CREATE TABLE feedback (
  tenant     TEXT COLLATE "C" NOT NULL,
  id         TEXT COLLATE "C" NOT NULL,
  item       TEXT COLLATE "C" NOT NULL,
  session    TEXT COLLATE "C" NOT NULL,
  verdict    TEXT COLLATE "C" NOT NULL,
  note       TEXT COLLATE "C" NOT NULL DEFAULT '',
  writer     TEXT COLLATE "C" NOT NULL,
  channel    TEXT COLLATE "C" NOT NULL,
  by_user    TEXT COLLATE "C" NOT NULL DEFAULT '',
  by_agent   TEXT COLLATE "C" NOT NULL DEFAULT '',
  by_model   TEXT COLLATE "C" NOT NULL DEFAULT '',
  by_session TEXT COLLATE "C" NOT NULL DEFAULT '',
  by_org     TEXT COLLATE "C" NOT NULL DEFAULT '',
  by_role    TEXT COLLATE "C" NOT NULL DEFAULT '',
  headless   BIGINT NOT NULL DEFAULT 0,
  confirmed  BIGINT NOT NULL DEFAULT 0,
  proof      TEXT COLLATE "C" NOT NULL DEFAULT '{}',
  at         BIGINT NOT NULL,
  PRIMARY KEY (tenant, id),
  FOREIGN KEY (tenant, item) REFERENCES items (tenant, id)
);
CREATE INDEX feedback_by_item ON feedback (tenant, item);

CREATE TABLE tombstones (
  tenant     TEXT COLLATE "C" NOT NULL,
  id         TEXT COLLATE "C" NOT NULL,
  item       TEXT COLLATE "C" NOT NULL,
  scope      TEXT COLLATE "C" NOT NULL,
  reason     TEXT COLLATE "C" NOT NULL,
  writer     TEXT COLLATE "C" NOT NULL,
  channel    TEXT COLLATE "C" NOT NULL,
  by_user    TEXT COLLATE "C" NOT NULL DEFAULT '',
  by_agent   TEXT COLLATE "C" NOT NULL DEFAULT '',
  by_model   TEXT COLLATE "C" NOT NULL DEFAULT '',
  by_session TEXT COLLATE "C" NOT NULL DEFAULT '',
  by_org     TEXT COLLATE "C" NOT NULL DEFAULT '',
  by_role    TEXT COLLATE "C" NOT NULL DEFAULT '',
  headless   BIGINT NOT NULL DEFAULT 0,
  confirmed  BIGINT NOT NULL DEFAULT 0,
  proof      TEXT COLLATE "C" NOT NULL DEFAULT '{}',
  at         BIGINT NOT NULL,
  key_id     TEXT COLLATE "C" NOT NULL,
  normaliser BIGINT NOT NULL,
  sketch     BYTEA NOT NULL,
  lifted_at  BIGINT,
  lifted_by  TEXT COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (tenant, id)
);
CREATE INDEX tombstones_by_item ON tombstones (tenant, item);

-- A tombstone stays for ever. It is lifted once, as a whole or for one scope and another.
CREATE FUNCTION tombstones_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT (
    OLD.lifted_at IS NULL AND NEW.lifted_at IS NOT NULL AND
    NEW.tenant = OLD.tenant AND NEW.id = OLD.id AND NEW.item = OLD.item AND
    NEW.scope = OLD.scope AND NEW.reason = OLD.reason AND NEW.writer = OLD.writer AND
    NEW.channel = OLD.channel AND NEW.by_user = OLD.by_user AND NEW.by_agent = OLD.by_agent AND
    NEW.by_model = OLD.by_model AND NEW.by_session = OLD.by_session AND
    NEW.by_org = OLD.by_org AND NEW.by_role = OLD.by_role AND NEW.headless = OLD.headless AND
    NEW.confirmed = OLD.confirmed AND NEW.proof = OLD.proof AND NEW.at = OLD.at AND
    NEW.key_id = OLD.key_id AND NEW.normaliser = OLD.normaliser AND NEW.sketch = OLD.sketch) THEN
    RAISE EXCEPTION 'a tombstone stays';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER tombstones_keep BEFORE UPDATE ON tombstones
FOR EACH ROW EXECUTE FUNCTION tombstones_keep();
CREATE TRIGGER tombstones_stay BEFORE DELETE ON tombstones
FOR EACH ROW EXECUTE FUNCTION never();
CREATE TRIGGER tombstones_all BEFORE TRUNCATE ON tombstones
FOR EACH STATEMENT EXECUTE FUNCTION never();
ALTER TABLE tombstones ENABLE ALWAYS TRIGGER tombstones_keep;
ALTER TABLE tombstones ENABLE ALWAYS TRIGGER tombstones_stay;
ALTER TABLE tombstones ENABLE ALWAYS TRIGGER tombstones_all;

CREATE TABLE tombstone_lifts (
  tenant    TEXT COLLATE "C" NOT NULL,
  tombstone TEXT COLLATE "C" NOT NULL,
  scope     TEXT COLLATE "C" NOT NULL,
  at        BIGINT NOT NULL,
  by        TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, tombstone, scope),
  FOREIGN KEY (tenant, tombstone) REFERENCES tombstones (tenant, id)
);
CREATE TRIGGER tombstone_lifts_keep BEFORE UPDATE OR DELETE ON tombstone_lifts
FOR EACH ROW EXECUTE FUNCTION never();
CREATE TRIGGER tombstone_lifts_all BEFORE TRUNCATE ON tombstone_lifts
FOR EACH STATEMENT EXECUTE FUNCTION never();
ALTER TABLE tombstone_lifts ENABLE ALWAYS TRIGGER tombstone_lifts_keep;
ALTER TABLE tombstone_lifts ENABLE ALWAYS TRIGGER tombstone_lifts_all;

CREATE TABLE tombstone_prints (
  tenant    TEXT COLLATE "C" NOT NULL,
  tombstone TEXT COLLATE "C" NOT NULL,
  part      TEXT COLLATE "C" NOT NULL,
  value     BYTEA NOT NULL,
  PRIMARY KEY (tenant, value, part, tombstone),
  FOREIGN KEY (tenant, tombstone) REFERENCES tombstones (tenant, id)
);
CREATE INDEX tombstone_prints_by_tombstone ON tombstone_prints (tenant, tombstone);
CREATE TRIGGER tombstone_prints_keep BEFORE UPDATE OR DELETE ON tombstone_prints
FOR EACH ROW EXECUTE FUNCTION never();
CREATE TRIGGER tombstone_prints_all BEFORE TRUNCATE ON tombstone_prints
FOR EACH STATEMENT EXECUTE FUNCTION never();
ALTER TABLE tombstone_prints ENABLE ALWAYS TRIGGER tombstone_prints_keep;
ALTER TABLE tombstone_prints ENABLE ALWAYS TRIGGER tombstone_prints_all;

CREATE TABLE erased_keys (
  tenant TEXT COLLATE "C" NOT NULL,
  value  BYTEA NOT NULL,
  at     BIGINT NOT NULL,
  PRIMARY KEY (tenant, value)
);
CREATE TRIGGER erased_keys_keep BEFORE UPDATE OR DELETE ON erased_keys
FOR EACH ROW EXECUTE FUNCTION never();
CREATE TRIGGER erased_keys_all BEFORE TRUNCATE ON erased_keys
FOR EACH STATEMENT EXECUTE FUNCTION never();
ALTER TABLE erased_keys ENABLE ALWAYS TRIGGER erased_keys_keep;
ALTER TABLE erased_keys ENABLE ALWAYS TRIGGER erased_keys_all;

CREATE TABLE events (
  tenant     TEXT COLLATE "C" NOT NULL,
  seq        BIGINT NOT NULL,
  at         BIGINT NOT NULL,
  writer     TEXT COLLATE "C" NOT NULL,
  channel    TEXT COLLATE "C" NOT NULL,
  by_user    TEXT COLLATE "C" NOT NULL DEFAULT '',
  by_agent   TEXT COLLATE "C" NOT NULL DEFAULT '',
  by_model   TEXT COLLATE "C" NOT NULL DEFAULT '',
  by_session TEXT COLLATE "C" NOT NULL DEFAULT '',
  by_org     TEXT COLLATE "C" NOT NULL DEFAULT '',
  by_role    TEXT COLLATE "C" NOT NULL DEFAULT '',
  headless   BIGINT NOT NULL DEFAULT 0,
  confirmed  BIGINT NOT NULL DEFAULT 0,
  proof      TEXT COLLATE "C" NOT NULL DEFAULT '{}',
  action     TEXT COLLATE "C" NOT NULL,
  target     TEXT COLLATE "C" NOT NULL DEFAULT '',
  fields     TEXT COLLATE "C" NOT NULL DEFAULT '[]',
  before     BIGINT NOT NULL DEFAULT 0,
  after      BIGINT NOT NULL DEFAULT 0,
  change     TEXT COLLATE "C" NOT NULL DEFAULT '{}',
  code       TEXT COLLATE "C" NOT NULL DEFAULT '',
  count      BIGINT NOT NULL DEFAULT 1,
  undoes     BIGINT NOT NULL DEFAULT 0,
  batch      TEXT COLLATE "C" NOT NULL DEFAULT '',
  commitment BYTEA NOT NULL,
  prev_hash  BYTEA NOT NULL,
  hash       BYTEA NOT NULL,
  PRIMARY KEY (tenant, seq)
);
CREATE INDEX events_by_target ON events (tenant, target, seq);
CREATE INDEX events_by_batch ON events (tenant, batch, seq) WHERE batch <> '';
-- The log only grows, by the line that follows the last one and names its hash.
CREATE FUNCTION events_next() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.seq <> 1 + coalesce((SELECT max(seq) FROM events WHERE tenant = NEW.tenant), 0)
    OR NEW.prev_hash <> coalesce(
      (SELECT hash FROM events WHERE tenant = NEW.tenant AND seq = NEW.seq - 1),
      decode(repeat('00', 32), 'hex')) THEN
    RAISE EXCEPTION 'the audit log is append-only';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER events_next BEFORE INSERT ON events
FOR EACH ROW EXECUTE FUNCTION events_next();
CREATE TRIGGER events_keep BEFORE UPDATE OR DELETE ON events
FOR EACH ROW EXECUTE FUNCTION never();
CREATE TRIGGER events_all BEFORE TRUNCATE ON events
FOR EACH STATEMENT EXECUTE FUNCTION never();
ALTER TABLE events ENABLE ALWAYS TRIGGER events_next;
ALTER TABLE events ENABLE ALWAYS TRIGGER events_keep;
ALTER TABLE events ENABLE ALWAYS TRIGGER events_all;

CREATE TABLE refusals (
  tenant TEXT COLLATE "C" NOT NULL,
  party  TEXT COLLATE "C" NOT NULL,
  rule   TEXT COLLATE "C" NOT NULL,
  minute BIGINT NOT NULL,
  count  BIGINT NOT NULL,
  PRIMARY KEY (tenant, party, rule, minute)
);

CREATE TABLE sessions (
  tenant        TEXT COLLATE "C" NOT NULL,
  id            TEXT COLLATE "C" NOT NULL,
  agent         TEXT COLLATE "C" NOT NULL,
  agent_session TEXT COLLATE "C" NOT NULL DEFAULT '',
  parent        TEXT COLLATE "C" NOT NULL DEFAULT '',
  model         TEXT COLLATE "C" NOT NULL DEFAULT '',
  transcript    TEXT COLLATE "C" NOT NULL DEFAULT '',
  scopes        TEXT COLLATE "C" NOT NULL DEFAULT '[]',
  cwd           TEXT COLLATE "C" NOT NULL DEFAULT '',
  repo          TEXT COLLATE "C" NOT NULL DEFAULT '',
  branch        TEXT COLLATE "C" NOT NULL DEFAULT '',
  started_at    BIGINT NOT NULL,
  ended_at      BIGINT,
  last_event_at BIGINT NOT NULL,
  start_reason  TEXT COLLATE "C" NOT NULL DEFAULT '',
  end_reason    TEXT COLLATE "C" NOT NULL DEFAULT '',
  first_prompt  TEXT COLLATE "C" NOT NULL DEFAULT '',
  last_prompt   TEXT COLLATE "C" NOT NULL DEFAULT '',
  prompts       BIGINT NOT NULL DEFAULT 0,
  head_start    TEXT COLLATE "C" NOT NULL DEFAULT '',
  head_end      TEXT COLLATE "C" NOT NULL DEFAULT '',
  commits       TEXT COLLATE "C" NOT NULL DEFAULT '[]',
  diff_stat     TEXT COLLATE "C" NOT NULL DEFAULT '',
  headless      BIGINT NOT NULL DEFAULT 0,
  synthetic     BIGINT NOT NULL DEFAULT 0,
  deliver       BIGINT NOT NULL DEFAULT 1,
  busy          BIGINT NOT NULL DEFAULT 0,
  compactions   BIGINT NOT NULL DEFAULT 0,
  failures      BIGINT NOT NULL DEFAULT 0,
  corrections   BIGINT NOT NULL DEFAULT 0,
  nudged        BIGINT NOT NULL DEFAULT 0,
  forgotten     BIGINT NOT NULL DEFAULT 0,
  pid           BIGINT NOT NULL DEFAULT 0,
  pid_started   BIGINT NOT NULL DEFAULT 0,
  compacted_at  BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant, id)
);
CREATE UNIQUE INDEX sessions_by_agent ON sessions (tenant, agent, agent_session)
WHERE agent_session <> '';
CREATE INDEX sessions_by_time ON sessions (tenant, last_event_at);
CREATE INDEX sessions_by_repo ON sessions (tenant, repo, last_event_at);
CREATE INDEX sessions_by_parent ON sessions (tenant, parent) WHERE parent <> '';

CREATE TABLE session_calls (
  tenant  TEXT COLLATE "C" NOT NULL,
  agent   TEXT COLLATE "C" NOT NULL,
  call    TEXT COLLATE "C" NOT NULL,
  session TEXT COLLATE "C" NOT NULL,
  at      BIGINT NOT NULL,
  PRIMARY KEY (tenant, agent, call)
);

CREATE TABLE session_processes (
  tenant  TEXT COLLATE "C" NOT NULL,
  agent   TEXT COLLATE "C" NOT NULL,
  pid     BIGINT NOT NULL,
  started BIGINT NOT NULL,
  session TEXT COLLATE "C" NOT NULL,
  at      BIGINT NOT NULL,
  PRIMARY KEY (tenant, agent, pid, started)
);

CREATE TABLE session_reads (
  tenant  TEXT COLLATE "C" NOT NULL,
  session TEXT COLLATE "C" NOT NULL,
  item    TEXT COLLATE "C" NOT NULL,
  version BIGINT NOT NULL,
  at      BIGINT NOT NULL,
  PRIMARY KEY (tenant, session, item)
);

CREATE TABLE spool_records (
  tenant TEXT COLLATE "C" NOT NULL,
  digest BYTEA NOT NULL,
  at     BIGINT NOT NULL,
  PRIMARY KEY (tenant, digest)
);

CREATE TABLE handoffs (
  tenant          TEXT COLLATE "C" NOT NULL,
  item            TEXT COLLATE "C" NOT NULL,
  session         TEXT COLLATE "C" NOT NULL DEFAULT '',
  to_agent        TEXT COLLATE "C" NOT NULL DEFAULT '',
  done            TEXT COLLATE "C" NOT NULL DEFAULT '',
  state           TEXT COLLATE "C" NOT NULL DEFAULT '',
  next            TEXT COLLATE "C" NOT NULL DEFAULT '',
  questions       TEXT COLLATE "C" NOT NULL DEFAULT '',
  repo            TEXT COLLATE "C" NOT NULL DEFAULT '',
  branch          TEXT COLLATE "C" NOT NULL DEFAULT '',
  head            TEXT COLLATE "C" NOT NULL DEFAULT '',
  dirty           TEXT COLLATE "C" NOT NULL DEFAULT '{}',
  status          TEXT COLLATE "C" NOT NULL,
  automatic       BIGINT NOT NULL DEFAULT 0,
  created_at      BIGINT NOT NULL,
  lapses_at       BIGINT NOT NULL,
  claimed_by      TEXT COLLATE "C" NOT NULL DEFAULT '',
  claimed_at      BIGINT,
  lease_until     BIGINT,
  acknowledged_at BIGINT,
  PRIMARY KEY (tenant, item),
  FOREIGN KEY (tenant, item) REFERENCES items (tenant, id),
  CHECK (status IN ('open','claimed','acknowledged','expired','cancelled','replaced'))
);
CREATE INDEX handoffs_by_repo ON handoffs (tenant, repo, status, created_at);
CREATE INDEX handoffs_by_session ON handoffs (tenant, session);
CREATE INDEX handoffs_by_claim ON handoffs (tenant, claimed_by);
CREATE INDEX handoffs_by_lapse ON handoffs (tenant, status, lapses_at);

CREATE TABLE deliveries (
  tenant   TEXT COLLATE "C" NOT NULL,
  id       TEXT COLLATE "C" NOT NULL,
  session  TEXT COLLATE "C" NOT NULL DEFAULT '',
  channel  TEXT COLLATE "C" NOT NULL,
  occasion TEXT COLLATE "C" NOT NULL,
  at       BIGINT NOT NULL,
  budget   BIGINT NOT NULL,
  tokens   BIGINT NOT NULL,
  query    TEXT COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (tenant, id)
);
CREATE INDEX deliveries_by_session ON deliveries (tenant, session, at);

CREATE TABLE delivery_items (
  tenant   TEXT COLLATE "C" NOT NULL,
  delivery TEXT COLLATE "C" NOT NULL,
  item     TEXT COLLATE "C" NOT NULL,
  version  BIGINT NOT NULL,
  rank     BIGINT NOT NULL,
  score    DOUBLE PRECISION NOT NULL DEFAULT 0,
  parts    TEXT COLLATE "C" NOT NULL DEFAULT '{}',
  tokens   BIGINT NOT NULL DEFAULT 0,
  shown    BIGINT NOT NULL,
  why      TEXT COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (tenant, delivery, item),
  FOREIGN KEY (tenant, delivery) REFERENCES deliveries (tenant, id)
);
CREATE INDEX delivery_items_by_item ON delivery_items (tenant, item);

CREATE TABLE scopes (
  tenant     TEXT COLLATE "C" NOT NULL,
  name       TEXT COLLATE "C" NOT NULL,
  -- names the scope inside the lexical index
  n          BIGINT NOT NULL,
  -- NULL while only the index knows the name
  first_seen BIGINT,
  PRIMARY KEY (tenant, name),
  UNIQUE (tenant, n)
);

CREATE TABLE scope_aliases (
  tenant TEXT COLLATE "C" NOT NULL,
  old    TEXT COLLATE "C" NOT NULL,
  new    TEXT COLLATE "C" NOT NULL,
  at     BIGINT NOT NULL,
  PRIMARY KEY (tenant, old)
);

CREATE TABLE settings (
  tenant TEXT COLLATE "C" NOT NULL,
  name   TEXT COLLATE "C" NOT NULL,
  scope  TEXT COLLATE "C" NOT NULL,
  value  TEXT COLLATE "C" NOT NULL,
  at     BIGINT NOT NULL,
  by     TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, name, scope)
);

CREATE TABLE outbox (
  tenant  TEXT COLLATE "C" NOT NULL,
  id      BIGINT GENERATED ALWAYS AS IDENTITY,
  kind    TEXT COLLATE "C" NOT NULL,
  item    TEXT COLLATE "C" NOT NULL,
  version BIGINT NOT NULL,
  at      BIGINT NOT NULL,
  PRIMARY KEY (tenant, id)
);
CREATE INDEX outbox_by_kind ON outbox (tenant, kind, id);

CREATE TABLE answers (
  tenant  TEXT COLLATE "C" NOT NULL,
  party   TEXT COLLATE "C" NOT NULL,
  key     TEXT COLLATE "C" NOT NULL,
  request BYTEA NOT NULL,
  answer  TEXT COLLATE "C" NOT NULL,
  item    TEXT COLLATE "C" NOT NULL DEFAULT '',
  at      BIGINT NOT NULL,
  PRIMARY KEY (tenant, party, key),
  CHECK (length(key) <= 200)
);
CREATE INDEX answers_by_item ON answers (tenant, item);

-- The models that vectors were made with; one space is the current one. Vectors of two spaces are
-- never compared.
CREATE TABLE embedding_spaces (
  tenant     TEXT COLLATE "C" NOT NULL,
  id         TEXT COLLATE "C" NOT NULL,
  model      TEXT COLLATE "C" NOT NULL,
  digest     TEXT COLLATE "C" NOT NULL,
  dimension  BIGINT NOT NULL,
  pooling    TEXT COLLATE "C" NOT NULL,
  form       TEXT COLLATE "C" NOT NULL,
  made_at    BIGINT NOT NULL,
  is_current BIGINT NOT NULL,
  -- how often what may be told of its vectors changed
  revision   BIGINT NOT NULL,
  PRIMARY KEY (tenant, id),
  -- the same may be made anew beside the one in use
  UNIQUE (tenant, model, digest, dimension, pooling, form, is_current)
);
CREATE UNIQUE INDEX embedding_spaces_current ON embedding_spaces (tenant) WHERE is_current = 1;

-- A piece of an item's text as a direction: signed bytes.
CREATE TABLE vectors (
  tenant  TEXT COLLATE "C" NOT NULL,
  space   TEXT COLLATE "C" NOT NULL,
  item    TEXT COLLATE "C" NOT NULL,
  piece   BIGINT NOT NULL,
  version BIGINT NOT NULL,
  vector  BYTEA NOT NULL,
  PRIMARY KEY (tenant, space, item, piece),
  FOREIGN KEY (tenant, space) REFERENCES embedding_spaces (tenant, id),
  FOREIGN KEY (tenant, item) REFERENCES items (tenant, id)
);
CREATE INDEX vectors_by_item ON vectors (tenant, item);

-- Derived: everything below can be made again from versions.
-- `place` names scope and state as one word: s<scope n>a for what is live, s<scope n>h for
-- the rest.

-- The words of a text: lower case, without marks, nothing between them but a space.
CREATE FUNCTION words_of(said text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN regexp_replace(
  regexp_replace(lower(normalize(said, NFKD)), '[\u0300-\u036f]', '', 'g'),
  '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f\ufe00-\ufe0f\ufeff]+',
  ' ', 'g');

-- A document's words with their weights. The sign between the columns is no word, and keeps
-- the last of one and the first of the next from being neighbours.
CREATE FUNCTION document_words(
  how regconfig, title text, body text, tags text, terms text, context text
) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN setweight(to_tsvector(how, words_of(title)), 'A') || CAST('|:1' AS tsvector)
  || setweight(to_tsvector(how, words_of(tags)), 'B') || CAST('|:1' AS tsvector)
  || setweight(to_tsvector(how, words_of(terms)), 'B') || CAST('|:1' AS tsvector)
  || setweight(to_tsvector(how, words_of(body)), 'C') || CAST('|:1' AS tsvector)
  || setweight(to_tsvector(how, words_of(context)), 'D');

CREATE TABLE documents (
  tenant  TEXT COLLATE "C" NOT NULL,
  doc     BIGINT GENERATED ALWAYS AS IDENTITY,
  item    TEXT COLLATE "C" NOT NULL,
  version BIGINT NOT NULL,
  place   TEXT COLLATE "C" NOT NULL,
  title   TEXT NOT NULL,
  body    TEXT NOT NULL,
  tags    TEXT NOT NULL,
  terms   TEXT NOT NULL,
  context TEXT NOT NULL,
  -- the words as they are, and their stems: two columns, as each has its own neighbours
  exact   tsvector NOT NULL GENERATED ALWAYS AS (
    document_words('simple', title, body, tags, terms, context)) STORED,
  stems   tsvector NOT NULL GENERATED ALWAYS AS (
    document_words('english', title, body, tags, terms, context)) STORED,
  PRIMARY KEY (tenant, item, version),
  UNIQUE (tenant, doc)
);
CREATE INDEX documents_by_exact ON documents USING gin (exact);
CREATE INDEX documents_by_stems ON documents USING gin (stems);
