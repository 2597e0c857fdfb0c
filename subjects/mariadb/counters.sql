-- Pages that were requested, and those that had to be read. Only the buffer of the engine in use counts: MyISAM's is for
-- keys, and its rows come from the page cache.
SELECT CASE counted.VARIABLE_NAME
       WHEN 'INNODB_DATA_READ' THEN 'disk_read_bytes'
       ELSE IF(counted.VARIABLE_NAME LIKE '%REQUESTS', 'buffer_requests', 'buffer_reads') END,
       counted.VARIABLE_VALUE
  FROM information_schema.GLOBAL_STATUS AS counted
 WHERE counted.VARIABLE_NAME IN (
         CASE @@default_storage_engine
         WHEN 'InnoDB' THEN 'INNODB_BUFFER_POOL_READ_REQUESTS'
         WHEN 'Aria'   THEN 'ARIA_PAGECACHE_READ_REQUESTS'
         ELSE               'KEY_READ_REQUESTS' END,
         CASE @@default_storage_engine
         WHEN 'InnoDB' THEN 'INNODB_PAGES_READ'
         WHEN 'Aria'   THEN 'ARIA_PAGECACHE_READS'
         ELSE               'KEY_READS' END,
         IF(@@default_storage_engine = 'InnoDB', 'INNODB_DATA_READ', ''));
