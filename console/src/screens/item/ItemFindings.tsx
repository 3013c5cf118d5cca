import type { EconomyFinding } from "@gamekeeper/client";
import { Title } from "@mantine/core";
import { FindingTable } from "~/parts/findings/FindingTable";
import { text } from "~/parts/findings/text";

/** The last findings about the item. */
export function ItemFindings({ findings }: { findings: EconomyFinding[] | undefined }) {
  if (!findings?.length) return null;
  return (
    <section aria-label={text.title}>
      <Title order={2} mb={8}>
        {text.title}
      </Title>
      <FindingTable findings={findings} />
    </section>
  );
}
