-- Every setting of the server: name, value, default, except the paths of this instance.
SELECT LOWER(VARIABLE_NAME), COALESCE(GLOBAL_VALUE, ''), COALESCE(DEFAULT_VALUE, '')
  FROM information_schema.SYSTEM_VARIABLES
 WHERE VARIABLE_SCOPE <> 'SESSION ONLY'
   AND VARIABLE_NAME NOT IN ('DATADIR', 'GENERAL_LOG_FILE', 'HOSTNAME', 'LOG_BIN_BASENAME', 'LOG_SLOW_QUERY_FILE',
                             'PID_FILE', 'PORT', 'REPORT_PORT', 'SERVER_UID', 'SLAVE_LOAD_TMPDIR',
                             'SLOW_QUERY_LOG_FILE', 'SOCKET', 'TMPDIR')
 ORDER BY VARIABLE_NAME;
