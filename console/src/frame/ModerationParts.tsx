import { Link, useLocation } from "@tanstack/react-router";
import { search as readSearch, SCOPES, tabOf } from "~/screens/moderation/search";
import type { Raw } from "~/search";
import { useMe } from "~/session";
import { text } from "~/text";
import { useWaiting } from "~/waiting";
import { PartLinks } from "./PartLinks";
import { isOn } from "./screens";

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
  const { Scopes } = useMe();
  const parts = [
    { tab: "reports", label: text.nav.reports, count: cases, waits: text.casesWaiting(cases) },
    { tab: "chat", label: text.nav.chat },
    { tab: "sanctions", label: text.nav.sanctions },
    { tab: "access", label: text.nav.accessBans },
    {
      tab: "appeals",
      label: text.nav.appeals,
      count: appeals,
      waits: text.appealsWaiting(appeals),
    },
    { tab: "templates", label: text.nav.templates },
    { tab: "statistics", label: text.nav.statistics },
  ] as const;
  return (
    <PartLinks
      label={text.nav.moderation}
      here={pathname === "/moderation" ? tabOf(readSearch(search), Scopes) : "reports"}
      parts={parts
        .filter(({ tab }) => Scopes.includes(SCOPES[tab]))
        .map((part) => ({
          ...part,
          link: (props) => <Link to="/moderation" search={{ tab: part.tab }} {...props} />,
        }))}
    />
  );
}
