import type { SanctionTemplate } from "@gamekeeper/client";
import { ICONS } from "./kinds";
import classes from "./LadderSteps.module.css";
import { text } from "./text";

/** The ladder of a template, with the step that comes next marked. */
export function LadderSteps({
  steps,
  next,
}: {
  steps: SanctionTemplate["Steps"];
  /** From 1. */
  next?: number | null | undefined;
}) {
  return (
    <ol className={classes.steps} aria-label={text.composer.ladder}>
      {steps.map((step, at) => {
        const Icon = ICONS[step.Kind];
        return (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place
            key={at}
            className={classes.step}
            aria-current={next === at + 1 ? "step" : undefined}
          >
            <span>{at + 1}</span>
            <Icon size={14} aria-hidden="true" />
            {text.step(step.Kind, step.DurationSeconds)}
          </li>
        );
      })}
    </ol>
  );
}
