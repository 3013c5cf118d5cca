export const text = {
  chart: "Chart",
  table: "Table",
  view: (label: string) => `${label}: view`,
  keys: "Use the arrow keys to move through time.",
  when: "Time",
  days: "Days in UTC",
  utc: "UTC",
  local: "Local time",
};
