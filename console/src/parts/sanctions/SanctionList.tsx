import type { Sanction } from "@gamekeeper/client";
import { Stack, Title } from "@mantine/core";
import { Empty } from "~/parts/states";
import { useNow } from "~/parts/When";
import { stateOf } from "./kinds";
import { SanctionCard } from "./SanctionCard";
import { text } from "./text";

/** The record of somebody: what is in force, then what is over. Notes are not in it. */
export function SanctionList({ sanctions }: { sanctions: Sanction[] }) {
  const now = useNow();
  const shown = sanctions.filter((one) => one.Kind !== "note");
  if (shown.length === 0) {
    return <Empty title={text.list.none} hint={text.list.noneHint} />;
  }
  const isOver = (one: Sanction) => ["ended", "lifted"].includes(stateOf(one, now));
  return (
    <Stack gap="lg">
      <Part title={text.list.inForce} sanctions={shown.filter((one) => !isOver(one))} />
      <Part title={text.list.over} sanctions={shown.filter(isOver)} />
    </Stack>
  );
}

function Part({ title, sanctions }: { title: string; sanctions: Sanction[] }) {
  if (sanctions.length === 0) return null;
  return (
    <Stack gap="xs" component="section" aria-label={title}>
      <Title order={2}>{title}</Title>
      {sanctions.map((one) => (
        <SanctionCard key={one.Id} sanction={one} />
      ))}
    </Stack>
  );
}
