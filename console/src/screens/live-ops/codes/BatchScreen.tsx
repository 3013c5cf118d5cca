import type { CodeBatch } from "@gamekeeper/client";
import { Group, SimpleGrid, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { get } from "~/api";
import { grouped } from "~/format";
import { usePolling } from "~/live";
import { Card } from "~/parts/Card";
import { CopyId } from "~/parts/CopyId";
import { Page } from "~/parts/Page";
import { Fact } from "~/parts/sanctions/SanctionFacts";
import { Answered, Forbidden } from "~/parts/states";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import { Back } from "../Back";
import { By } from "../By";
import { Pieces } from "../campaigns/WorkSentence";
import { BatchActions } from "./BatchActions";
import { BatchState } from "./BatchState";
import { mostOf } from "./batch";
import { Redemptions } from "./Redemptions";
import { text } from "./text";

const words = text.page;

/** One batch of codes: what a code gives, its state, and who redeemed codes. */
export function BatchScreen() {
  const { batch: id } = useParams({ from: "/codes/$batch" });
  const mayRead = useMay("codes.read");
  const refetchInterval = usePolling();
  const batch = useQuery({
    ...get("/api/v1/codes/batches/{batch_id}", { params: { path: { batch_id: id } } }),
    enabled: mayRead,
    refetchInterval,
  });
  if (batch.data) return <Known batch={batch.data} />;
  return (
    <Page title={words.loading}>
      <Back tab="codes">{words.back}</Back>
      {mayRead ? <Answered query={batch}>{() => null}</Answered> : <Forbidden scope="codes.read" />}
    </Page>
  );
}

function Known({ batch }: { batch: CodeBatch }) {
  const { State } = batch;
  return (
    <Page
      title={batch.Name}
      beside={<CopyId id={batch.Id} what={words.id} />}
      action={<BatchActions batch={batch} />}
      filters={
        <Group gap="lg">
          <Back tab="codes">{words.back}</Back>
          <div role="status">
            <BatchState batch={batch} />
          </div>
        </Group>
      }
    >
      {(State === "draft" || State === "ready") && <Text c="dimmed">{words.next[State]}</Text>}
      <Facts batch={batch} />
      <Redemptions batch={batch.Id} />
    </Page>
  );
}

function Facts({ batch }: { batch: CodeBatch }) {
  return (
    <Card title={words.facts}>
      <Fact label={words.letter}>
        <Group gap={6} component="span">
          {words.subject(batch.Subject, batch.Items.length > 0)}
          {batch.Items.map(({ ItemId, Quantity }) => (
            <Pieces key={ItemId} item={ItemId} quantity={Quantity} />
          ))}
        </Group>
      </Fact>
      {batch.Text && (
        <Fact label={words.letterText}>
          <Text style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{batch.Text}</Text>
        </Fact>
      )}
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
        <Fact label={words.campaign}>{batch.Campaign}</Fact>
        {batch.Prefix && <Fact label={words.prefix}>{batch.Prefix}</Fact>}
        <Fact label={words.codes}>{grouped(batch.Codes)}</Fact>
        <Fact label={words.uses}>{grouped(batch.Uses)}</Fact>
        <Fact label={words.redeemed}>{words.ofMost(batch.Redeemed, mostOf(batch))}</Fact>
        <Fact label={words.letterExpires}>{words.expiresIn(batch.ExpiresInDays)}</Fact>
        {batch.StartsAt && (
          <Fact label={words.starts}>
            <When at={batch.StartsAt} />
          </Fact>
        )}
        <Fact label={words.expires}>
          {batch.ExpiresAt ? <When at={batch.ExpiresAt} /> : text.never}
        </Fact>
        <Fact label={words.created}>
          <By at={batch.CreatedAt} name={batch.CreatedByName} />
        </Fact>
        {batch.ActivatedAt && (
          <Fact label={words.activated}>
            <When at={batch.ActivatedAt} />
          </Fact>
        )}
        {batch.RevokedAt && (
          <Fact label={words.revoked}>
            <By at={batch.RevokedAt} name={batch.RevokedByName} />
          </Fact>
        )}
      </SimpleGrid>
    </Card>
  );
}
