-- name: lexical_best
-- The best documents, by BM25 with heavier titles; what they are worth, larger is better.
SELECT rowid, -rank FROM document_index
WHERE document_index MATCH :match AND rank MATCH 'bm25(0.0, 4.0, 1.0, 2.0, 1.5, 0.5)'
ORDER BY rank LIMIT :limit

-- name: lexical_best_since
-- The same, of the documents after one.
SELECT rowid, -rank FROM document_index
WHERE document_index MATCH :match AND rank MATCH 'bm25(0.0, 4.0, 1.0, 2.0, 1.5, 0.5)'
  AND rowid > :since
ORDER BY rank LIMIT :limit

-- name: lexical_counts
-- How many documents each of some matches has, and which of them it is.
SELECT (SELECT count(*) FROM document_index WHERE document_index MATCH e.value), e.key
FROM json_each(:matches) AS e

-- name: lexical_sample
-- The same, of the newest documents and of some in the middle alone.
SELECT (SELECT count(*) FROM document_index
        WHERE document_index MATCH e.value AND rowid > :newest)
  + (SELECT count(*) FROM document_index
     WHERE document_index MATCH e.value AND rowid > :middle AND rowid <= :after), e.key
FROM json_each(:matches) AS e

-- name: lexical_share
-- How many of 64 documents from all over the index there are, and are in one of the places;
-- and how many there are in all, about.
WITH RECURSIVE step (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM step WHERE k < 64),
  every (n) AS (SELECT coalesce(max(doc), 0) FROM documents)
SELECT count(*), coalesce(sum(d.place IN each(:places)), 0), (SELECT n FROM every)
FROM step
JOIN documents AS d ON d.doc = 1 + (SELECT n FROM every) * step.k / 65

-- name: lexical_rebuild
-- Makes the words anew from the documents, whatever became of them.
INSERT INTO document_index (document_index) VALUES ('rebuild')
