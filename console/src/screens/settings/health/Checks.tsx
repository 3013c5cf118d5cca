import type { HealthFinding, HealthReport } from "@gamekeeper/client";
import { Button, Group, Text } from "@mantine/core";
import {
  IconAlertTriangle,
  IconCircleCheckFilled,
  IconCircleX,
  IconHelpCircle,
  IconRefresh,
} from "@tabler/icons-react";
import { useState } from "react";
import { Card } from "~/parts/Card";
import { When } from "~/parts/When";
import classes from "./Health.module.css";
import { text } from "./text";

type State = HealthFinding["State"];

/** A colour and a shape for each state, the most urgent first. */
const MARKS: Record<State, { icon: typeof IconCircleX; color: string; rank: number }> = {
  failed: { icon: IconCircleX, color: "var(--gk-loss)", rank: 0 },
  warning: { icon: IconAlertTriangle, color: "var(--gk-changed)", rank: 1 },
  unknown: { icon: IconHelpCircle, color: "var(--mantine-color-dimmed)", rank: 2 },
  ok: { icon: IconCircleCheckFilled, color: "var(--gk-gain)", rank: 3 },
};

interface ChecksProps {
  report: HealthReport;
  isChecking: boolean;
  check: () => void;
}

/** What needs attention, with what to do; the checks that passed on request. */
export function Checks({ report: { At, Findings }, isChecking, check }: ChecksProps) {
  const [isOpen, setIsOpen] = useState(false);
  const passed = Findings.filter((finding) => finding.State === "ok");
  const others = Findings.filter((finding) => finding.State !== "ok").sort(
    (one, other) => MARKS[one.State].rank - MARKS[other.State].rank,
  );
  return (
    <Card
      title={text.checks.title}
      hint={text.checks.hint}
      beside={
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} />}
          loading={isChecking}
          onClick={check}
        >
          {text.checks.again}
        </Button>
      }
    >
      {others.length > 0 ? (
        <FindingList label={text.checks.attention} findings={others} />
      ) : (
        <Text>{text.checks.allPassed}</Text>
      )}
      <Group justify="space-between">
        <Button variant="subtle" px={0} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? text.checks.hide : text.checks.show(passed.length)}
        </Button>
        <Text size="sm" c="dimmed">
          {text.checks.checked} <When at={At} span />
        </Text>
      </Group>
      {isOpen && <FindingList label={text.checks.passed(passed.length)} findings={passed} />}
    </Card>
  );
}

function FindingList({ label, findings }: { label: string; findings: HealthFinding[] }) {
  return (
    <ul className={classes.list} aria-label={label}>
      {findings.map((finding) => (
        <Finding key={`${finding.Check} ${finding.Message}`} finding={finding} />
      ))}
    </ul>
  );
}

function Finding({ finding: { Check, State, Message, Remedy } }: { finding: HealthFinding }) {
  const { icon: Icon, color } = MARKS[State];
  return (
    <li className={classes.row}>
      <Icon
        size={18}
        color={color}
        className={classes.icon}
        role="img"
        aria-label={text.checks.states[State]}
      />
      <div className={classes.words}>
        <Text size="xs" c="dimmed" fw={600}>
          {Check.replaceAll("_", " ")}
        </Text>
        <Text size="sm">{Message}</Text>
        {Remedy && (
          <Text size="sm" c="dimmed">
            {text.checks.fix} {Remedy}
          </Text>
        )}
      </div>
    </li>
  );
}
