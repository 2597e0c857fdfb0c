"""In what the treatments of a comparison differ besides what is compared, or in what it is not known."""
