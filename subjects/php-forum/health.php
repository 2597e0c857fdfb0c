<?php

declare(strict_types=1);

// Whether the forum works: it does if its database does.

require_once __DIR__ . '/database.php';

database()->query('SELECT 1');
header('Content-Type: text/plain');
echo 'ok';
