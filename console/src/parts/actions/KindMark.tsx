import classes from "./actions.module.css";
import type { Entry } from "./entry";
import { factsOf, SANCTION_ICONS } from "./kinds";
import { stateOf, textAt } from "./read";

/** The sign of an action: what it was by its icon, whether it gave or took by colour and shape. */
export function KindMark({ entry }: { entry: Entry }) {
  const facts = factsOf(entry.Kind);
  const sanction = textAt(stateOf(entry.After), "kind") ?? "";
  const special = entry.Kind === "sanctions.impose" ? SANCTION_ICONS[sanction] : undefined;
  const Icon = special ?? facts.icon;
  return (
    <span
      className={classes.mark}
      data-tone={facts.tone}
      data-undone={entry.UndoneBy !== null}
      aria-hidden="true"
    >
      <Icon size={16} stroke={1.75} />
    </span>
  );
}
