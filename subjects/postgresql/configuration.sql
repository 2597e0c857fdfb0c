-- Every setting of the server: name, value, default; sizes and times with their unit, except the paths of this
-- instance and the settings of this session.
SELECT name, given.value, COALESCE(given.standard, '')
  FROM pg_settings,
       LATERAL (SELECT CASE unit WHEN '8kB' THEN 8 ELSE 1 END AS times,
                       CASE unit WHEN '8kB' THEN ' kB' ELSE COALESCE(' ' || unit, '') END AS in_unit) AS measured,
       LATERAL (SELECT CASE WHEN unit IS NULL OR setting LIKE '-%' THEN setting
                       ELSE setting::numeric * times || in_unit END AS value,
                       CASE WHEN unit IS NULL OR boot_val LIKE '-%' THEN boot_val
                       ELSE boot_val::numeric * times || in_unit END AS standard) AS given
 WHERE source <> 'client'
   AND name NOT IN ('config_file', 'data_directory', 'data_directory_mode', 'external_pid_file', 'hba_file', 'ident_file',
                    'log_file_mode', 'port', 'unix_socket_directories', 'unix_socket_permissions')
 ORDER BY name;
