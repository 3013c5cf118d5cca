import type { Reconciliation } from "@gamekeeper/client";
import { Button, FileButton, Group, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { gk } from "~/api";
import { grouped } from "~/format";
import { Card } from "~/parts/Card";
import { toastFailed } from "~/toasts";
import { Back } from "../Back";
import { ComparisonResult } from "./ComparisonResult";
import { MOST_ORDERS, statementOf } from "./statement";
import { text } from "./text";

const words = text.comparison;

interface Compared {
  shop: string;
  result: Reconciliation;
}

/** The orders that a shop calls paid, compared with those that are stored. Changes nothing. */
export function Comparison() {
  const [shop, setShop] = useState("");
  const [list, setList] = useState("");
  const [from, setFrom] = useState("");
  const [until, setUntil] = useState("");
  const [busy, setBusy] = useState(false);
  const [compared, setCompared] = useState<Compared | null>(null);
  const { orders, skipped } = statementOf(list);
  const isTooLong = orders.length > MOST_ORDERS;

  async function compare(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    try {
      const body = { orders, ...periodOf(from, until) };
      const params = { path: { shop: shop.trim() } };
      const result = await gk.post("/api/v1/shops/{shop}/reconcile", { params, body });
      setCompared({ shop: shop.trim(), result });
    } catch (error) {
      toastFailed(error, words.failed);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Stack>
      <Group>
        <Back tab="orders">{text.back}</Back>
      </Group>
      <Card title={words.title} hint={words.hint}>
        <form onSubmit={(event) => void compare(event)}>
          <Stack>
            <TextInput
              label={words.shop}
              description={words.shopHint}
              value={shop}
              maxLength={32}
              required
              maw={320}
              onChange={(event) => setShop(event.currentTarget.value)}
            />
            <Textarea
              label={words.list}
              placeholder={words.example}
              value={list}
              required
              autosize
              minRows={5}
              maxRows={14}
              spellCheck={false}
              error={isTooLong ? words.tooMany(grouped(MOST_ORDERS)) : undefined}
              onChange={(event) => setList(event.currentTarget.value)}
            />
            <Group>
              <FileButton
                accept=".csv,.tsv,.txt,text/csv,text/plain"
                onChange={(file) => void file?.text().then(setList)}
              >
                {(props) => (
                  <Button variant="default" leftSection={<IconUpload size={16} />} {...props}>
                    {words.upload}
                  </Button>
                )}
              </FileButton>
              <Text size="sm" c="dimmed" aria-live="polite">
                {words.read(orders.length)}
                {skipped > 0 && `, ${words.skipped(skipped)}`}
              </Text>
            </Group>
            <Group align="flex-end">
              <Day label={words.from} value={from} onChange={setFrom} />
              <Day label={words.until} value={until} onChange={setUntil} />
            </Group>
            <Text size="sm" c="dimmed">
              {words.period}
            </Text>
            <Group>
              <Button
                type="submit"
                loading={busy}
                disabled={!shop.trim() || orders.length === 0 || isTooLong}
              >
                {words.run}
              </Button>
            </Group>
          </Stack>
        </form>
      </Card>
      {compared && <ComparisonResult {...compared} />}
    </Stack>
  );
}

interface DayProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

function Day({ onChange, ...props }: DayProps) {
  return (
    <TextInput type="date" {...props} onChange={(event) => onChange(event.currentTarget.value)} />
  );
}

/** Both days whole, in UTC as shops export them; one day alone is no period. */
function periodOf(from: string, until: string): { since?: string; until?: string } {
  if (!from || !until) return {};
  const end = new Date(`${until}T00:00:00Z`);
  end.setUTCDate(end.getUTCDate() + 1);
  return { since: `${from}T00:00:00Z`, until: end.toISOString() };
}
