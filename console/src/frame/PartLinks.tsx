import type { ReactNode } from "react";
import classes from "./Frame.module.css";
import { CountBadge } from "./WaitingBadge";

interface LinkParts {
  className: string | undefined;
  "aria-current": "page" | undefined;
  children: ReactNode;
}

interface Part {
  tab: string;
  label: string;
  /** Draws the link: only its own screen knows what its address holds. */
  link: (parts: LinkParts) => ReactNode;
  /** How much waits there for the person, and in words. */
  count?: number;
  waits?: string;
}

/** The parts of a screen in the menu, below it. */
export function PartLinks({ label, parts, here }: { label: string; parts: Part[]; here: string }) {
  return (
    <ul className={classes.parts} aria-label={label}>
      {parts.map((part) => (
        <li key={part.tab}>
          {part.link({
            className: classes.link,
            "aria-current": part.tab === here ? "page" : undefined,
            children: (
              <>
                {part.label}
                <CountBadge count={part.count ?? 0} label={part.waits ?? ""} />
              </>
            ),
          })}
        </li>
      ))}
    </ul>
  );
}
