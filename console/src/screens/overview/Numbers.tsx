import type { GameOverview } from "@gamekeeper/client";
import { Paper, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { compact } from "~/format";
import { When } from "~/parts/When";
import classes from "./Overview.module.css";
import { text } from "./text";

/** The numbers that an operator looks at first. */
export function Numbers({ data }: { data: GameOverview }) {
  const { Online, Servers, Newcomers, Actions, Shown } = data;
  const most = Math.max(Online.Now, ...Online.Curve.map((point) => point.Highest));
  const done = Actions.Values.reduce((sum, one) => sum + one.Count, 0);
  return (
    <section aria-label={text.numbers}>
      <div className={classes.stats}>
        <Stat label={text.online} value={Online.Now} note={text.peak(most)} />
        <Stat
          label={text.servers}
          value={Servers.Alive}
          note={text.ofServers(Servers.Total - Servers.Stopped)}
        />
        {Shown.includes("newcomers") && (
          <Stat
            label={text.characters}
            value={Newcomers.CharactersDay}
            complete={Newcomers.Complete}
            note={text.week(Newcomers.CharactersWeek)}
          />
        )}
        {Newcomers.AccountsDay !== null && (
          <Stat
            label={text.accounts}
            value={Newcomers.AccountsDay}
            complete={Newcomers.Complete}
            note={text.week(Newcomers.AccountsWeek ?? 0)}
          />
        )}
        {Shown.includes("actions") && (
          <Stat label={text.actions} value={done} complete={Actions.Complete} note={text.lastDay} />
        )}
      </div>
      {Actions.CountedUntil && (
        <Text size="xs" c="dimmed" mt={8}>
          {text.countedUntil} <When at={Actions.CountedUntil} />.
        </Text>
      )}
    </section>
  );
}

interface StatProps {
  label: string;
  value: number;
  /** False while the count lags: the true number is at least this. */
  complete?: boolean;
  note: ReactNode;
}

function Stat({ label, value, complete = true, note }: StatProps) {
  return (
    <Paper withBorder p="md">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text className={classes.number}>
        {complete ? compact(value) : text.atLeast(compact(value))}
      </Text>
      <Text size="xs" c="dimmed">
        {complete ? note : text.counting}
      </Text>
    </Paper>
  );
}
