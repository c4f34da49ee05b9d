-- part: delivery
SELECT id, session, channel, occasion, at, budget, tokens, query FROM deliveries

-- name: delivery_add
-- What one pack was.
INSERT INTO deliveries (tenant, id, session, channel, occasion, at, budget, tokens, query)
VALUES (:tenant, :id, :session, :channel, :occasion, :at, :budget, :tokens, :query)

-- name: delivery_item_add
-- One item of it.
INSERT INTO delivery_items (
  tenant, delivery, item, version, rank, score, parts, tokens, shown, why
) VALUES (
  :tenant, :delivery, :item, :version, :rank, :score, :parts, :tokens, :shown, :why
)

-- name: delivery_get
-- One delivery.
{delivery} WHERE tenant = :tenant AND id = :id

-- name: deliveries_recent
-- Deliveries, newest first.
{delivery} WHERE tenant = :tenant ORDER BY id DESC LIMIT :limit

-- name: deliveries_recent_in
-- Deliveries into one session, newest first.
{delivery} WHERE tenant = :tenant AND session = :session ORDER BY id DESC LIMIT :limit

-- name: delivery_items_of
-- The items of some deliveries in their order.
SELECT delivery, item, version, rank, score, parts, tokens, shown, why FROM delivery_items
WHERE tenant = :tenant AND delivery IN each(:ids)
ORDER BY delivery, rank, item

-- name: deliveries_shown
-- The newest version of each item shown since the context was last compacted.
SELECT di.item, max(di.version)
FROM deliveries AS d
JOIN delivery_items AS di ON di.tenant = d.tenant AND di.delivery = d.id
WHERE d.tenant = :tenant AND d.session = :session AND di.shown = 1
  AND d.at >= coalesce(
    (SELECT s.compacted_at FROM sessions AS s WHERE s.tenant = :tenant AND s.id = :session), 0)
GROUP BY di.item

-- name: deliveries_given
-- When sessions were first given each version of some items, the newest version last.
SELECT di.item, di.version, min(d.at)
FROM delivery_items AS di
JOIN deliveries AS d ON d.tenant = di.tenant AND d.id = di.delivery AND d.session <> ''
WHERE di.tenant = :tenant AND di.item IN each(:ids) AND di.shown = 1
GROUP BY di.item, di.version ORDER BY di.item, di.version

-- name: deliveries_blank
-- Blanks the queries that hold a text.
UPDATE deliveries SET query = ''
WHERE tenant = :tenant AND query <> '' AND position(query, :text) > 0
  AND (CAST(:session AS TEXT) IS NULL OR session = :session)

-- name: deliveries_queries
-- What was looked for.
SELECT id, query FROM deliveries WHERE tenant = :tenant AND query <> '' ORDER BY id

-- name: deliveries_blank_some
-- Blanks the queries of some deliveries.
UPDATE deliveries SET query = ''
WHERE tenant = :tenant AND query <> '' AND id IN each(:ids)

-- name: session_compact
-- From then on, what was shown before no longer counts.
UPDATE sessions SET compacted_at = :at WHERE tenant = :tenant AND id = :session
