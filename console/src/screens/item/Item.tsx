import type { ItemEconomy } from "@gamekeeper/client";
import { Button, Group, Paper, SegmentedControl, Text, Title } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { get } from "~/api";
import { grouped } from "~/format";
import { CopyId } from "~/parts/CopyId";
import { Bars } from "~/parts/charts/Bars";
import { Curve } from "~/parts/charts/Curve";
import { ItemTile } from "~/parts/ItemTile";
import { Page } from "~/parts/Page";
import { Quantity } from "~/parts/Quantity";
import { Shares } from "~/parts/Shares";
import { Answered } from "~/parts/states";
import { useMay } from "~/session";
import { Holders } from "./Holders";
import classes from "./Item.module.css";
import { ItemFindings } from "./ItemFindings";
import { Movements } from "./Movements";
import { Spikes } from "./Spikes";
import { SPANS } from "./search";
import { daysUntil, findingDays, flowChart, marksOf, spikesOf, supplyCurve } from "./supply";
import { text } from "./text";

const SHOWN_FINDINGS = 5;

/** One item: how many there were, how they came and went, and who has them. */
export function Item() {
  const { item: id } = useParams({ from: "/economy/$item" });
  const { days = "30" } = useSearch({ from: "/economy/$item" });
  const economy = useQuery({
    ...get("/api/v1/economy/items/{item_id}", {
      params: { path: { item_id: id }, query: { days: Number(days) } },
    }),
    placeholderData: keepPreviousData,
  });
  const may = useMay("actions.read");
  return (
    <Page
      title={economy.data?.Name ?? text.title}
      beside={<CopyId id={id} what={text.id} />}
      action={
        may && (
          <Button
            variant="default"
            leftSection={<IconHistory size={16} />}
            renderRoot={(props) => <Link to="/actions" search={{ item: id }} {...props} />}
          >
            {text.actions}
          </Button>
        )
      }
    >
      <Answered query={economy}>{(data) => <Body item={data} />}</Answered>
    </Page>
  );
}

function Body({ item }: { item: ItemEconomy }) {
  const { days: span = "30", day } = useSearch({ from: "/economy/$item" });
  const navigate = useNavigate({ from: "/economy/$item" });
  const days = useMemo(() => daysUntil(new Date(), Number(span)), [span]);
  const spikes = useMemo(() => spikesOf(item.Flows, days), [item.Flows, days]);
  const findings = useQuery(
    get("/api/v1/economy/findings", {
      params: { query: { item: item.Id, pageSize: SHOWN_FINDINGS } },
    }),
  );
  const found = findings.data?.Values;
  const marks = useMemo(() => {
    const known = new Set(spikes.map(({ index }) => index));
    const more = findingDays(found ?? [], days).filter((index) => !known.has(index));
    return [...marksOf(spikes, text.spike), ...more.map((index) => ({ index, label: text.found }))];
  }, [spikes, found, days]);
  const supply = useMemo(
    () => ({ ...supplyCurve(item.Total, item.Flows, days, text.existing), marks }),
    [item, days, marks],
  );
  const flows = useMemo(() => {
    const labels = {
      came: (source: string) => text.came(sourceOf(source)),
      went: (source: string) => text.went(sourceOf(source)),
    };
    return { ...flowChart(item.Flows, days, labels), marks };
  }, [item.Flows, days, marks]);

  function look(next: string | undefined) {
    void navigate({ search: (now) => ({ ...now, day: next }), resetScroll: false });
  }
  const choice = (
    <SegmentedControl
      size="xs"
      aria-label={text.days}
      value={span}
      data={SPANS.map((one) => ({ value: one, label: text.spans[one] }))}
      onChange={(chosen) => {
        const next = SPANS.find((one) => one === chosen);
        void navigate({ search: (now) => ({ ...now, days: next }), replace: true });
      }}
    />
  );
  return (
    <>
      <Facts item={item} span={span} before={supply.series[0]?.values[0] ?? item.Total} />
      <Spikes spikes={spikes} day={day} onDay={look} />
      <ItemFindings findings={found} />
      <div className={classes.grid}>
        <Paper withBorder p="md">
          <Curve title={text.supply} data={supply} beside={choice} note={text.supplyNote} />
        </Paper>
        <Holders item={item} />
        <Paper withBorder p="md">
          {flows.series.length > 0 ? (
            <Bars
              title={text.flows}
              data={flows}
              note={text.flowsNote}
              onOpen={(index) => look(days[index])}
            />
          ) : (
            <>
              <Title order={2}>{text.flows}</Title>
              <Text c="dimmed">{text.noFlows}</Text>
            </>
          )}
        </Paper>
      </div>
      <Movements item={item.Id} day={day} onAll={() => look(undefined)} />
    </>
  );
}

interface FactsProps {
  item: ItemEconomy;
  span: string;
  /** How many there were when the time that is looked at began. */
  before: number;
}

function Facts({ item, span, before }: FactsProps) {
  const where = text.where(item.Inventories, item.Banks, item.Bags, item.Guilds);
  return (
    <Group gap="md" wrap="nowrap">
      <ItemTile id={item.Id} name={item.Name} size={56} />
      <div>
        <Text component="div">
          <b className={classes.total}>{grouped(item.Total)}</b> {text.exist}{" "}
          <Quantity change={item.Total - before} />{" "}
          <Text span c="dimmed" size="sm">
            {text.change(span)}
          </Text>
        </Text>
        <Group gap="sm">
          <Shares
            values={[item.Inventories, item.Banks, item.Bags, item.Guilds]}
            label={where}
            width={120}
          />
          <Text size="sm" c="dimmed">
            {where}
          </Text>
        </Group>
      </div>
    </Group>
  );
}

function sourceOf(source: string): string {
  return text.sources[source] ?? source;
}
