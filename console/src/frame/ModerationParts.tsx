import { Link, useLocation } from "@tanstack/react-router";
import { search as readSearch, tabOf } from "~/screens/moderation/search";
import type { Raw } from "~/search";
import { useMay } from "~/session";
import { text } from "~/text";
import { useWaiting } from "~/waiting";
import classes from "./Frame.module.css";
import { isOn } from "./screens";
import { CountBadge } from "./WaitingBadge";

/** The parts of Moderation in the menu, while one of them is open. */
export function ModerationParts() {
  const { pathname, search } = useLocation();
  // Drawn anew on the way to the sign-in, when nobody is signed in: permissions are read below.
  return isOn({ to: "/moderation" }, pathname) ? (
    <Parts pathname={pathname} search={search} />
  ) : null;
}

function Parts({ pathname, search }: { pathname: string; search: Raw }) {
  const { appeals, cases } = useWaiting();
  const mayReport = useMay("reports.read");
  const parts = [
    {
      tab: "reports",
      label: text.nav.reports,
      count: cases,
      waits: text.casesWaiting(cases),
    },
    { tab: "sanctions", label: text.nav.sanctions, count: 0, waits: "" },
    { tab: "access", label: text.nav.accessBans, count: 0, waits: "" },
    {
      tab: "appeals",
      label: text.nav.appeals,
      count: appeals,
      waits: text.appealsWaiting(appeals),
    },
    { tab: "templates", label: text.nav.templates, count: 0, waits: "" },
  ] as const;
  const here = pathname === "/moderation" ? tabOf(readSearch(search), mayReport) : "reports";
  return (
    <ul className={classes.parts} aria-label={text.nav.moderation}>
      {parts
        .filter(({ tab }) => tab !== "reports" || mayReport)
        .map(({ tab, label, count, waits }) => (
          <li key={tab}>
            <Link
              to="/moderation"
              search={{ tab }}
              className={classes.link}
              aria-current={tab === here ? "page" : undefined}
            >
              {label}
              <CountBadge count={count} label={waits} />
            </Link>
          </li>
        ))}
    </ul>
  );
}
