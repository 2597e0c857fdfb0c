-- The lines of counts.tsv: table, rows, ids, numbers, bytes, sums.
SELECT 'article', COUNT(*), SUM(id), SUM(author + posted), SUM(LENGTH(title) + LENGTH(body)),
       SUM(CAST(CONV(LEFT(MD5(CONCAT(title, body)), 8), 16, 10) AS UNSIGNED))
  FROM article;
SELECT 'author', COUNT(*), SUM(id), SUM(joined), SUM(LENGTH(name) + LENGTH(signature)),
       SUM(CAST(CONV(LEFT(MD5(CONCAT(name, signature)), 8), 16, 10) AS UNSIGNED))
  FROM author;
SELECT 'board', COUNT(*), SUM(id), SUM(index_from), SUM(LENGTH(title) + LENGTH(about)),
       SUM(CAST(CONV(LEFT(MD5(CONCAT(title, about)), 8), 16, 10) AS UNSIGNED))
  FROM board;
SELECT 'message', COUNT(*), SUM(id), SUM(thread + parent + author + posted), SUM(LENGTH(subject) + LENGTH(body)),
       SUM(CAST(CONV(LEFT(MD5(CONCAT(subject, body)), 8), 16, 10) AS UNSIGNED))
  FROM message;
SELECT 'thread', COUNT(*), SUM(id), SUM(board + author + posted + messages + latest), SUM(LENGTH(subject)),
       SUM(CAST(CONV(LEFT(MD5(subject), 8), 16, 10) AS UNSIGNED))
  FROM thread;
