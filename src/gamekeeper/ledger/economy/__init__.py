"""The economy: exact aggregates of the supply, the holders and the flows of each item."""
