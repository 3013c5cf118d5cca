import type { ActionHours as Hours } from "@gamekeeper/client";
import { Anchor, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Bars } from "~/parts/charts/Bars";
import { perHour } from "./families";
import { text } from "./text";

/** What was done in each hour of the last day, by kind. */
export function ActionHours({ hours, until }: { hours: Hours; until: Date }) {
  if (hours.Values.length === 0) {
    return (
      <section>
        <Title order={2}>{text.perHour}</Title>
        <Text c="dimmed" size="sm">
          {hours.Complete ? text.noActions : text.countingHours}
        </Text>
      </section>
    );
  }
  const data = perHour(hours, until, text.families);
  const all = (
    <>
      {!hours.Complete && (
        <Text size="xs" c="dimmed">
          {text.countingHours}
        </Text>
      )}
      <Anchor size="sm" renderRoot={(props) => <Link to="/actions" {...props} />}>
        {text.allActions}
      </Anchor>
    </>
  );
  return <Bars title={text.perHour} data={data} height={220} note={all} />;
}
