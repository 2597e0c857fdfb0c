"""What the data set "forum" is made of: text, people and what they write, tables, pages."""
