export const text = {
  chart: "Chart",
  table: "Table",
  view: (label: string) => `How to see ${label}`,
  keys: "Arrow keys move through time.",
  when: "When",
  days: "Days in UTC",
  utc: "UTC",
  local: "Local time",
};
