import { plural } from "~/plural";

export const text = {
  title: "New access ban",
  whom: "No account can sign in or join from a banned range.",
  range: "Address or range",
  rangeHint: "For example 203.0.113.9 or 203.0.113.0/24",
  duration: "Duration",
  durationHint: "For example 7 days; at most 366 days",
  durationOdd: "Enter a duration, for example 7 days",
  usual: "7 days",
  message: "Message to player",
  submit: "Ban",
  done: "Access ban imposed",
  staff: "staff",
  banned: "banned",
  affected: (count: number, isMore: boolean) =>
    isMore
      ? plural(count, {
          one: "More than # account was used from there.",
          other: "More than # accounts were used from there.",
        })
      : plural(count, {
          one: "# account was used from there.",
          other: "# accounts were used from there.",
        }),
  more: (count: number) => plural(count, { one: "and # more", other: "and # more" }),
};
