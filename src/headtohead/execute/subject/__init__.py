"""The system under test: its programs started, watched until ready, and stopped."""
