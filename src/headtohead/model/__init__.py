"""The nouns: frozen dataclasses without input or output; imports nothing of ours."""
