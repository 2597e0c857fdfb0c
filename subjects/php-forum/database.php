<?php

declare(strict_types=1);

require_once __DIR__ . '/settings.php';

/** Returns the connection of this PHP-FPM child, which stays open between requests. */
function database(): mysqli
{
    $database = new mysqli('p:localhost', DATABASE_USER, '', DATABASE_NAME, null, DATABASE_SOCKET);
    $database->set_charset('utf8mb4');
    return $database;
}
