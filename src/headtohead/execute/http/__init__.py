"""Pages requested one by one: is the server ready, are its responses right?"""
