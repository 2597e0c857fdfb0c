"""What limited each treatment, and why."""
