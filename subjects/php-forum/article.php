<?php

declare(strict_types=1);

// One article: article?id=N.

require_once __DIR__ . '/database.php';
require_once __DIR__ . '/page.php';

const HEADING = '= ';

/** Returns a block of an article as HTML. */
function block(string $text): string
{
    return str_starts_with($text, HEADING)
        ? '<h2>' . escaped(substr($text, strlen(HEADING))) . "</h2>\n"
        : '<p>' . escaped($text) . "</p>\n";
}

/** Returns the requested number, or null if it is none. */
function asked_id(): ?int
{
    $id = $_GET['id'] ?? null;
    return is_string($id) && preg_match('/^\d{1,9}$/D', $id) === 1 ? (int) $id : null;
}

$id = asked_id();
$article = $id === null ? null : database()->execute_query(
    'SELECT r.title, r.posted, r.body, a.name FROM article r JOIN author a ON a.id = r.author WHERE r.id = ?',
    [$id]
)->fetch_assoc();
if ($article === null) {
    http_response_code(404);
    exit;
}

$page = page_opening($article['title'])
    . '<p class="by">by <span class="author">' . escaped($article['name'])
    . '</span> on <span class="posted">' . gmdate('Y-m-d H:i', $article['posted']) . "</span></p>\n";
foreach (explode("\n", $article['body']) as $text) {
    $page .= block($text);
}
send_page($page);
