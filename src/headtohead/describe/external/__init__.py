"""Figures from outside our own runs: results that others report, prices, published figures."""
