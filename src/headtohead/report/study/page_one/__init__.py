"""Page one: the head of the page, a card for each question, what to do, what the study does not show."""
