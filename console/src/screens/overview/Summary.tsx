import type { GameOverview } from "@gamekeeper/client";
import { Text } from "@mantine/core";
import classes from "./Overview.module.css";
import { text } from "./text";

/** The state of the game in one sentence. */
export function Summary({ data }: { data: GameOverview }) {
  const { Online, Servers, Alerts } = data;
  const words = text.summary;
  const expected = Servers.Total - Servers.Stopped;
  const who = Online.Now === 0 ? words.nobody : words.online(Online.Now);
  const where =
    Servers.Total === 0
      ? words.noServers
      : expected === 0
        ? words.stopped
        : Servers.Alive === 0
          ? words.down(expected)
          : words.servers(Servers.Alive, expected);
  return (
    <Text className={classes.summary}>
      <b>{who}</b> {where}
      {compared(data)}. {Alerts.length === 0 && words.well}
    </Text>
  );
}

/** Against the point of a day ago, if there is one. */
function compared({ At, Online }: GameOverview): string {
  const first = Online.Curve[0];
  const age = first ? new Date(At).getTime() - new Date(first.At).getTime() : 0;
  if (!first || age < 23 * 3_600_000) return "";
  const change = Online.Now - Math.round(first.Average);
  const { more, fewer, same } = text.summary;
  return `, ${change > 0 ? more(change) : change < 0 ? fewer(-change) : same}`;
}
