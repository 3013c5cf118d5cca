import type { Reconciliation } from "@gamekeeper/client";
import { Alert, Badge, Button, CopyButton, Group, Stack, Text } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { grouped } from "~/format";
import { Card } from "~/parts/Card";
import { OrderLink } from "~/parts/orders/OrderTable";
import classes from "./orders.module.css";
import { text } from "./text";

const words = text.comparison;

/** What a comparison found: missing, extra, different and undelivered orders. */
export function ComparisonResult({ shop, result }: { shop: string; result: Reconciliation }) {
  const { Missing, Extra, Different, Undelivered } = result;
  const isSame = [Missing, Extra, Different, Undelivered].every((group) => group.length === 0);
  return (
    <Stack component="section" aria-label={words.result} aria-live="polite">
      {isSame && (
        <Alert color="green" icon={<IconCircleCheck />}>
          {words.same}
        </Alert>
      )}
      <Found title={words.missing} hint={words.missingHint} ids={Missing} />
      <Found
        title={words.undelivered}
        hint={words.undeliveredHint}
        ids={Undelivered}
        shown={(id) => <OrderLink shop={shop} id={id} />}
      />
      <Found
        title={words.different}
        hint={words.differentHint}
        ids={Different.map(({ OrderId }) => OrderId)}
        shown={(id) => (
          <>
            <OrderLink shop={shop} id={id} />{" "}
            <Text span size="sm" c="dimmed">
              {Different.find(({ OrderId }) => OrderId === id)
                ?.Fields.map((field) => words.fields[field] ?? field)
                .join(", ")}
            </Text>
          </>
        )}
      />
      <Found
        title={words.extra}
        hint={words.extraHint}
        ids={Extra}
        shown={(id) => <OrderLink shop={shop} id={id} />}
      />
    </Stack>
  );
}

interface FoundProps {
  title: string;
  hint: string;
  ids: string[];
  /** An order that is stored has a page. */
  shown?: (id: string) => ReactNode;
}

function Found({ title, hint, ids, shown }: FoundProps) {
  if (ids.length === 0) return null;
  return (
    <Card
      title={title}
      hint={hint}
      beside={
        <Group gap="xs">
          <Badge variant="default">{grouped(ids.length)}</Badge>
          <CopyButton value={ids.join("\n")}>
            {({ copied, copy }) => (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`${words.copy}: ${title}`}
                onClick={copy}
              >
                {copied ? words.copied : words.copy}
              </Button>
            )}
          </CopyButton>
        </Group>
      }
    >
      <ul className={classes.ids}>
        {ids.map((id) => (
          <li key={id}>{shown ? shown(id) : id}</li>
        ))}
      </ul>
    </Card>
  );
}
