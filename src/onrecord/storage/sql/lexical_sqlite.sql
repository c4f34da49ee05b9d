-- name: lexical_best
-- The best documents, by BM25 with heavier titles; what they are worth, larger is better.
SELECT rowid, -rank FROM document_index
WHERE document_index MATCH :match AND rank MATCH 'bm25(0.0, 4.0, 1.0, 2.0, 1.5, 0.5)'
ORDER BY rank LIMIT :limit

-- name: lexical_live
-- Which of some documents are of live items' heads in a scope that was asked for.
SELECT d.doc, i.id
FROM documents AS d
JOIN items AS i ON i.tenant = d.tenant AND i.id = d.item AND i.head = d.version
JOIN versions AS v ON v.tenant = i.tenant AND v.item = i.id AND v.n = i.head
WHERE d.tenant = :tenant AND d.doc IN (SELECT CAST(e.value AS INTEGER) FROM each(:docs) AS e)
  AND i.scope IN each(:scopes)
  AND (CAST(:kinds AS TEXT) IS NULL OR i.kind IN each(:kinds))
  AND i.status = 'active' AND (i.expires_at IS NULL OR i.expires_at > :now)
  AND (v.valid_from IS NULL OR v.valid_from <= :now)
  AND (v.valid_to IS NULL OR v.valid_to > :now)
