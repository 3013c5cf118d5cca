import { Link, useLocation } from "@tanstack/react-router";
import { text } from "~/text";
import { useWaiting } from "~/waiting";
import classes from "./Frame.module.css";
import { CountBadge } from "./WaitingBadge";

/** The parts of Moderation in the menu, while one of them is open. */
export function ModerationParts() {
  const { pathname, search } = useLocation();
  const { appeals } = useWaiting();
  if (!pathname.startsWith("/moderation")) return null;
  const parts = [
    { tab: "sanctions", label: text.nav.sanctions, count: 0, waits: "" },
    {
      tab: "appeals",
      label: text.nav.appeals,
      count: appeals,
      waits: text.appealsWaiting(appeals),
    },
    { tab: "templates", label: text.nav.templates, count: 0, waits: "" },
  ] as const;
  const here = "tab" in search ? search.tab : "sanctions";
  return (
    <ul className={classes.parts} aria-label={text.nav.moderation}>
      {parts.map(({ tab, label, count, waits }) => (
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
