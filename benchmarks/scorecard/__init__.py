"""The scorecard: event cases with exact answers, and the same cases stated to each tool in its own idiom."""
