"""Files from strangers: only plain files, within limits, of the exact kind."""
