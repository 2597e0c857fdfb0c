"""The only place of the report that formats numbers: values, percents, ratios, prices, dates and durations."""
