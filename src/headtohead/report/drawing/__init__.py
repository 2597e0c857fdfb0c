"""Charts and drawings as SVG: axes, intervals, lines, heat maps and boxes. They know no study."""
