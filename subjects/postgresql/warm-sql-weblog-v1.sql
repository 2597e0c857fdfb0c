-- Reads every page of the tables and of their indexes once; sequential scans of large tables would keep little of them.
SELECT SUM(pg_prewarm(oid::regclass))
  FROM pg_class
 WHERE relkind IN ('r', 'i', 't') AND relnamespace IN ('public'::regnamespace, 'pg_toast'::regnamespace);
