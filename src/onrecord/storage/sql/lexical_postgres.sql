-- name: lexical_best
-- The best documents, by weighted words and stems; what they are worth, larger is better.
WITH term AS (
  SELECT nullif(CAST(phraseto_tsquery('simple', words_of(value)) AS text), '') AS exact,
    nullif(CAST(phraseto_tsquery('english', words_of(value)) AS text), '') AS stems
  FROM each(:whole) AS w
  UNION ALL
  SELECT nullif(CAST(phraseto_tsquery('simple', words_of(value)) AS text), '') || ':*', NULL
  FROM each(:begun) AS b
), asked AS (
  SELECT CAST(string_agg(exact, ' | ') AS tsquery) AS exact,
    CAST(string_agg(stems, ' | ') AS tsquery) AS stems
  FROM term
)
SELECT d.doc,
  coalesce(ts_rank(CAST('{0.125,0.25,0.45,1}' AS real[]), d.exact, asked.exact), 0)
  + coalesce(ts_rank(CAST('{0.125,0.25,0.45,1}' AS real[]), d.stems, asked.stems), 0) / 2
FROM asked
JOIN documents AS d ON d.tenant = :tenant AND d.place IN each(:places)
  AND (d.exact @@ asked.exact OR d.stems @@ asked.stems)
ORDER BY 2 DESC, d.doc DESC LIMIT :limit

-- name: lexical_sound
-- How many documents differ from their words.
SELECT count(*) FROM documents
WHERE tenant = :tenant
  AND (exact <> document_words('simple', title, body, tags, terms, context)
       OR stems <> document_words('english', title, body, tags, terms, context))

-- name: lexical_rebuild
-- Makes the words of those documents anew that differ from them.
UPDATE documents SET title = title
WHERE tenant = :tenant
  AND (exact <> document_words('simple', title, body, tags, terms, context)
       OR stems <> document_words('english', title, body, tags, terms, context))
