-- The lines of counts.tsv: table, rows, ids, numbers, bytes, sums.
SELECT 'files_map', COUNT(*), SUM(id), 0, SUM(LENGTH(file) + LENGTH(type)),
       SUM(CAST(CONV(LEFT(MD5(CONCAT(file, type)), 8), 16, 10) AS UNSIGNED))
  FROM files_map;
SELECT 'log', COUNT(*), SUM(id), SUM(at + file_id + status + data_size),
       SUM(LENGTH(client) + LENGTH(referer) + LENGTH(agent)),
       SUM(CAST(CONV(LEFT(MD5(CONCAT(client, referer, agent)), 8), 16, 10) AS UNSIGNED))
  FROM log;
