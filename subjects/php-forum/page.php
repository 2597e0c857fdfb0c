<?php

declare(strict_types=1);

/** Returns a text with HTML's special characters escaped. */
function escaped(string $text): string
{
    return htmlspecialchars($text, ENT_COMPAT | ENT_SUBSTITUTE, 'UTF-8');
}

/** Returns the part before a page's own content: the title is also the first heading. */
function page_opening(string $title): string
{
    $title = escaped($title);
    return <<<HTML
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <title>$title</title>
        </head>
        <body>
        <h1>$title</h1>

        HTML;
}

/** Sends a page, with its end. */
function send_page(string $page): void
{
    $page .= "</body>\n</html>\n";
    header('Content-Type: text/html; charset=utf-8');
    echo $page;
}
