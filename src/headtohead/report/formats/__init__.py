"""The page as HTML and as Markdown."""
