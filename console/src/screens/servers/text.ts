export const text = {
  title: "Servers",
  columns: {
    name: "Server",
    players: "Players",
    lease: "Status",
    curve: "24 hours",
    registered: "Registered",
  },
  list: "Game servers",
  never: "Always on",
  ends: "Lease until",
  ended: "Offline since",
  summary: (alive: number, total: number) => `${alive} of ${total} up`,
  none: "No game server yet",
  noneHint:
    "Game servers register with an API key that has the permission “servers”. Players, status and commands of each server appear here.",
  keys: "Create API key",
};
