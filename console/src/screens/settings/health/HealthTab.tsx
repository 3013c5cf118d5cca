import { SimpleGrid, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { get } from "~/api";
import { Answered } from "~/parts/states";
import { BackupCard } from "./BackupCard";
import { Checks } from "./Checks";
import { LedgerCard } from "./LedgerCard";

/** Whether the installation is healthy: the checks, the last backup, the ledger. */
export function HealthTab() {
  const report = useQuery(get("/api/v1/health"));
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Answered query={report}>
        {(data) => (
          <Checks
            report={data}
            isChecking={report.isFetching}
            check={() => void report.refetch()}
          />
        )}
      </Answered>
      <Stack>
        {report.data && <BackupCard backup={report.data.Backup} />}
        <LedgerCard />
      </Stack>
    </SimpleGrid>
  );
}
