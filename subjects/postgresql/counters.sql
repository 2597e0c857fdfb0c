-- Pages of the database that were requested, and those that were not in shared_buffers. A session reports its counts at
-- its end at the latest, so this waits for sessions that are about to end.
DO $$
BEGIN
  FOR look IN 1..100 LOOP
    EXIT WHEN NOT EXISTS (SELECT FROM pg_stat_activity WHERE datname = 'h2h' AND backend_type = 'client backend');
    PERFORM pg_sleep(0.02), pg_stat_clear_snapshot();
  END LOOP;
END
$$;

SELECT named.name, named.value
  FROM pg_stat_database,
       LATERAL (VALUES ('buffer_requests', blks_hit + blks_read), ('buffer_reads', blks_read)) AS named (name, value)
 WHERE datname = 'h2h';
