-- The lines of counts.tsv: table, rows, ids, numbers, bytes, sums.
SELECT 'files_map', COUNT(*), SUM(id), 0, SUM(OCTET_LENGTH(file) + OCTET_LENGTH(type)),
       SUM(('x' || LEFT(MD5(file || type), 8))::bit(32)::bigint)
  FROM files_map;
SELECT 'log', COUNT(*), SUM(id), SUM(at::bigint + file_id + status + data_size),
       SUM(OCTET_LENGTH(client) + OCTET_LENGTH(referer) + OCTET_LENGTH(agent)),
       SUM(('x' || LEFT(MD5(client || referer || agent), 8))::bit(32)::bigint)
  FROM log;
