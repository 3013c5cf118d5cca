import type { RecordedBackup } from "@gamekeeper/client";
import { SimpleGrid, Text } from "@mantine/core";
import { duration } from "~/format";
import { Card } from "~/parts/Card";
import { Fact } from "~/parts/sanctions/SanctionFacts";
import { When } from "~/parts/When";
import { Notice } from "./Notice";
import { size } from "./size";
import { text } from "./text";

/** The last backup, and a warning if it is missing or old. */
export function BackupCard({ backup }: { backup: RecordedBackup | null }) {
  return (
    <Card title={text.backup.title} hint={text.backup.hint}>
      {!backup && <Notice title={text.backup.none} hint={text.backup.noneHint} />}
      {backup?.Old && <Notice title={text.backup.old} hint={text.backup.oldHint} />}
      {backup && <Facts backup={backup} />}
    </Card>
  );
}

function Facts({ backup: { At, Bytes, Seconds, ByName } }: { backup: RecordedBackup }) {
  return (
    <SimpleGrid cols={2}>
      <Fact label={text.backup.made}>
        <When at={At} />
      </Fact>
      <Fact label={text.backup.size}>
        <Text>{Bytes === null ? text.backup.unknown : size(Bytes)}</Text>
      </Fact>
      <Fact label={text.backup.duration}>
        <Text>{Seconds === null ? text.backup.unknown : duration(Math.ceil(Seconds))}</Text>
      </Fact>
      <Fact label={text.backup.by}>
        <Text style={{ overflowWrap: "anywhere" }}>{ByName}</Text>
      </Fact>
    </SimpleGrid>
  );
}
