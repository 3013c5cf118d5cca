import { Link, useLocation } from "@tanstack/react-router";
import { search as readSearch } from "~/screens/live-ops/search";
import { TABS, tabOf } from "~/screens/live-ops/tabs";
import type { Raw } from "~/search";
import { useMe } from "~/session";
import { text } from "~/text";
import { PartLinks } from "./PartLinks";
import { isOn } from "./screens";

/** The parts of Live ops in the menu, while one of them is open. */
export function LiveOpsParts() {
  const { pathname, search } = useLocation();
  // Drawn anew on the way to the sign-in, when nobody is signed in: permissions are read below.
  return isOn({ to: "/live-ops" }, pathname) ? <Parts pathname={pathname} search={search} /> : null;
}

function Parts({ pathname, search }: { pathname: string; search: Raw }) {
  const { Scopes } = useMe();
  const [, first, second] = pathname.split("/");
  // The page of a campaign is /campaigns/…; a segment that is not saved yet has no name.
  const page = second === "new-segment" ? "segments" : first;
  const below = TABS.find(({ tab }) => tab === page);
  return (
    <PartLinks
      label={text.nav.liveOps}
      here={below?.tab ?? tabOf(readSearch(search).tab, Scopes)}
      parts={TABS.filter(({ scope }) => Scopes.includes(scope)).map(({ tab, label }) => ({
        tab,
        label,
        link: (props) => <Link to="/live-ops" search={{ tab }} {...props} />,
      }))}
    />
  );
}
