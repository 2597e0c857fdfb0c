"""Single page requests: is the server ready, and are its responses correct?"""
