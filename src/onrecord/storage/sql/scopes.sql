-- name: scope_number
-- Gives a name its number in the lexical index.
INSERT INTO scopes (tenant, name, n)
SELECT CAST(:tenant AS TEXT), CAST(:name AS TEXT), coalesce(max(n), 0) + 1 FROM scopes WHERE tenant = :tenant
ON CONFLICT (tenant, name) DO NOTHING

-- name: scope_note
-- The first use of a name.
UPDATE scopes SET first_seen = :at
WHERE tenant = :tenant AND name = :name AND first_seen IS NULL

-- name: scope_known
-- Whether a name was used.
SELECT 1 FROM scopes WHERE tenant = :tenant AND name = :name AND first_seen IS NOT NULL

-- name: scope_names
-- All names that were used.
SELECT name FROM scopes WHERE tenant = :tenant AND first_seen IS NOT NULL ORDER BY name

-- name: scope_counts
-- How many items each scope has in each status, with an instant also those expired by then.
SELECT scope, stands, count(*) FROM (
  SELECT scope, CASE WHEN status IN ('active','proposed') AND expires_at <= CAST(:now AS BIGINT)
    THEN 'expired' ELSE status END AS stands
  FROM items WHERE tenant = :tenant) AS s
GROUP BY scope, stands

-- name: alias_put
-- A new name of a scope.
INSERT INTO scope_aliases (tenant, old, new, at) VALUES (:tenant, :old, :new, :at)
ON CONFLICT (tenant, old) DO UPDATE SET new = excluded.new, at = excluded.at

-- name: alias_drop
-- A name that is in use again.
DELETE FROM scope_aliases WHERE tenant = :tenant AND old = :name

-- name: alias_get
-- What a name was changed to.
SELECT new FROM scope_aliases WHERE tenant = :tenant AND old = :name

-- name: aliases
-- Every name that was changed, with what it was changed to.
SELECT old, new FROM scope_aliases WHERE tenant = :tenant ORDER BY old

-- name: setting_get
-- One setting.
SELECT value FROM settings WHERE tenant = :tenant AND name = :name AND scope = :scope

-- name: setting_put
-- One setting.
INSERT INTO settings (tenant, name, scope, value, at, by)
VALUES (:tenant, :name, :scope, :value, :at, :by)
ON CONFLICT (tenant, name, scope) DO UPDATE SET
  value = excluded.value, at = excluded.at, by = excluded.by

-- name: settings_all
-- All settings.
SELECT name, scope, value FROM settings WHERE tenant = :tenant ORDER BY name, scope
