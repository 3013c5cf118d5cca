import { grouped } from "~/format";

export const text = {
  title: "Accounts",
  total: (count: number) => grouped(count),
  search: "Find accounts",
  searchHint: "Name, email or id",
  searchHintMasked: "Name or id",
  masked: "Your role sees addresses masked, and does not find accounts by them.",
  table: {
    label: "Accounts",
    name: "Name",
    email: "Email",
    state: "State",
    powers: "Powers",
    registered: "Registered",
    played: "Played",
  },
  banned: "Banned",
  muted: "Muted",
  more: "These are the best hundred. Type more of the name for the rest.",
  none: "No account matches",
  noneHint: "Try a part of the name, or another spelling: one mistake is forgiven.",
  empty: "No accounts yet",
  emptyHint: "Players register in the game or on your website; then they are here.",
  short: "Type at least two letters.",
};
