import type { Campaign } from "@gamekeeper/client";
import { Button } from "@mantine/core";
import { IconFlask } from "@tabler/icons-react";
import { useState } from "react";
import { Card } from "~/parts/Card";
import { Answered } from "~/parts/states";
import { DryRunReport } from "./DryRunReport";
import { text } from "./text";
import { useDryRun } from "./useDryRun";

/** The dry run, when asked for: it locks the recipients that it tries for a moment. */
export function DryRunCard({ campaign }: { campaign: Campaign }) {
  const [isAsked, setIsAsked] = useState(false);
  const dryRun = useDryRun(campaign.Id, isAsked);
  const isKnown = dryRun.data !== undefined;
  return (
    <Card
      title={text.dryRun.title}
      hint={text.dryRun.hint}
      beside={
        <Button
          variant="default"
          leftSection={<IconFlask size={16} />}
          loading={dryRun.isFetching}
          onClick={() => (isAsked || isKnown ? void dryRun.refetch() : setIsAsked(true))}
        >
          {isKnown ? text.dryRun.again : text.dryRun.run}
        </Button>
      }
    >
      {(isAsked || isKnown) && (
        <Answered query={dryRun}>{(report) => <DryRunReport report={report} />}</Answered>
      )}
    </Card>
  );
}
