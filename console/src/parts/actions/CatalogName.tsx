import { useCatalogName, useServerName } from "~/names";
import classes from "./actions.module.css";
import { text } from "./text";

interface CatalogNameProps {
  part: "spells" | "variables" | "classes";
  id: string;
}

/** A spell, a variable or a class by its name. */
export function CatalogName({ part, id }: CatalogNameProps) {
  const name = useCatalogName(part, id);
  return (
    <span className={classes.value}>{name === undefined ? "…" : (name ?? text.something)}</span>
  );
}

export function ServerName({ id }: { id: string }) {
  return <span className={classes.value}>{useServerName(id) ?? "…"}</span>;
}
