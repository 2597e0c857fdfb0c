-- Reads every page of the tables and of the index once.
SELECT SUM(LENGTH(file)) FROM files_map;
SELECT SUM(LENGTH(agent)) FROM log;
SELECT COUNT(*) FROM log FORCE INDEX (log_file_id) WHERE file_id >= 0;
