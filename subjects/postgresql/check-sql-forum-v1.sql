-- The lines of counts.tsv: table, rows, ids, numbers, bytes, sums.
SELECT 'article', COUNT(*), SUM(id), SUM(author::bigint + posted), SUM(OCTET_LENGTH(title) + OCTET_LENGTH(body)),
       SUM(('x' || LEFT(MD5(title || body), 8))::bit(32)::bigint)
  FROM article;
SELECT 'author', COUNT(*), SUM(id), SUM(joined), SUM(OCTET_LENGTH(name) + OCTET_LENGTH(signature)),
       SUM(('x' || LEFT(MD5(name || signature), 8))::bit(32)::bigint)
  FROM author;
SELECT 'board', COUNT(*), SUM(id), SUM(index_from), SUM(OCTET_LENGTH(title) + OCTET_LENGTH(about)),
       SUM(('x' || LEFT(MD5(title || about), 8))::bit(32)::bigint)
  FROM board;
SELECT 'message', COUNT(*), SUM(id), SUM(thread::bigint + parent + author + posted),
       SUM(OCTET_LENGTH(subject) + OCTET_LENGTH(body)),
       SUM(('x' || LEFT(MD5(subject || body), 8))::bit(32)::bigint)
  FROM message;
SELECT 'thread', COUNT(*), SUM(id), SUM(board::bigint + author + posted + messages + latest),
       SUM(OCTET_LENGTH(subject)), SUM(('x' || LEFT(MD5(subject), 8))::bit(32)::bigint)
  FROM thread;
