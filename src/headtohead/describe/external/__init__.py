"""What people state: results that others report, prices, printed figures."""
