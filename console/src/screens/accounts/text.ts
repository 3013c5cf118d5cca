import { config } from "~/config";
import { grouped } from "~/format";

export const text = {
  title: "Accounts",
  total: (count: number) => grouped(count),
  search: "Find accounts",
  searchHint: "Name, email or id",
  searchHintMasked: "Name or id",
  masked:
    "Emails are masked and cannot be searched: your role needs the permission users.personal.",
  table: {
    label: "Accounts",
    name: "Name",
    email: "Email",
    state: "Status",
    powers: "Powers",
    registered: "Registered",
    played: "Played",
  },
  banned: "Banned",
  muted: "Muted",
  more: "Only the first 100 matches are shown. Type more of the name.",
  none: "No results",
  noneHint: "Try part of the name or another spelling.",
  empty: "No accounts yet",
  emptyHint: `Accounts appear here when players register in ${config.game} or on your website.`,
  short: "Type at least two letters.",
};
