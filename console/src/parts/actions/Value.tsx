import { grouped } from "~/format";
import classes from "./actions.module.css";

/** A value in a sentence: a number grouped, words as they are. */
export function Value({ of }: { of: unknown }) {
  return <span className={classes.value}>{shown(of)}</span>;
}

function shown(value: unknown): string {
  if (value === null || value === undefined || value === "") return "—";
  if (typeof value === "number") return grouped(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" ? value : JSON.stringify(value);
}
