"""From records to samples: one value per run, and which runs count."""
