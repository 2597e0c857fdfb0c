<?php

declare(strict_types=1);

// The index of the main board: its newest threads, each as a tree of messages.

require_once __DIR__ . '/database.php';
require_once __DIR__ . '/page.php';

const MAIN_BOARD = 1;
const NO_PARENT = 0;

/**
  * Appends a message's line, and the lines of its replies below it.
 *
 * @param array<string, int|string> $message
 * @param array<int, list<array<string, int|string>>> $replies the messages that reply to a message, by its id
 */
function append_message(string &$page, array $message, array $replies): void
{
    $page .= "<li><a href=\"/message?id={$message['id']}\">" . escaped($message['subject'])
        . '</a> by <span class="author">' . escaped($message['name'])
        . '</span> on <span class="posted">' . gmdate('Y-m-d', $message['posted']) . '</span>';
    $below = $replies[$message['id']] ?? [];
    if ($below !== []) {
        $page .= "\n<ul>\n";
        foreach ($below as $reply) {
            append_message($page, $reply, $replies);
        }
        $page .= "</ul>\n";
    }
    $page .= "</li>\n";
}

$database = database();
$board = $database->execute_query('SELECT title, about, index_from FROM board WHERE id = ?', [MAIN_BOARD])->fetch_assoc();
$messages = $database->execute_query(
    'SELECT m.id, m.thread, m.parent, m.posted, m.subject, m.author, a.name'
    . ' FROM thread t JOIN message m ON m.thread = t.id JOIN author a ON a.id = m.author'
    . ' WHERE t.board = ? AND t.id >= ?',
    [MAIN_BOARD, $board['index_from']]
)->fetch_all(MYSQLI_ASSOC);

usort($messages, fn (array $one, array $other): int => $one['id'] <=> $other['id']);
$replies = [];
foreach ($messages as $message) {
    $replies[$message['parent']][] = $message;
}
$heads = $replies[NO_PARENT] ?? [];
usort($heads, fn (array $one, array $other): int => $other['thread'] <=> $one['thread']);

$page = page_opening($board['title'])
    . '<p>' . escaped($board['about']) . "</p>\n"
    . '<p>' . count($messages) . ' messages in ' . count($heads) . " threads</p>\n<ul class=\"threads\">\n";
foreach ($heads as $head) {
    append_message($page, $head, $replies);
}
send_page($page . "</ul>\n");
