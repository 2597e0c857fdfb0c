"""From values to text and pictures: HTML, Markdown and the terminal. Writes no file, reads no clock."""
