import { flagOf, oneOf, optional, type Raw, textOf } from "~/search";
import { ordersSearch } from "./orders/search";
import { TABS } from "./tabs";

/** What the address of this screen holds. */
export function search(raw: Raw) {
  return optional({
    tab: oneOf(
      raw.tab,
      TABS.map(({ tab }) => tab),
    ),
    /** Whether a new campaign, schedule or batch is being made, and for which segment. */
    new: flagOf(raw.new),
    segment: textOf(raw.segment),
    /** Of the codes: only the batches of this campaign. */
    campaign: textOf(raw.campaign),
    ...ordersSearch(raw),
  });
}
