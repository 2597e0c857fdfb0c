"""Statistics along rising levels: what more of something gained, where a metric is highest, where an order changes."""
