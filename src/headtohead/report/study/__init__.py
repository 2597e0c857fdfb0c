"""The sections about the study as a whole, and the page that they make up."""
