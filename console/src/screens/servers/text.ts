export const text = {
  title: "Servers",
  columns: {
    name: "Server",
    players: "Players",
    lease: "Lease",
    curve: "24 hours",
    registered: "Registered",
  },
  list: "Game servers",
  never: "never ends",
  ends: "ends",
  ended: "down since",
  summary: (alive: number, total: number) => `${alive} of ${total} up`,
  none: "No game server yet",
  noneHint:
    "A game server registers with an API key that has the right “servers”. Then its players, its lease and the commands sent to it are here.",
  keys: "Make a key",
};
