import { SegmentedControl, Stack } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { get } from "~/api";
import { FindingTable } from "~/parts/findings/FindingTable";
import { Pager } from "~/parts/Pager";
import { Answered, Empty } from "~/parts/states";
import { PAGE_SIZE } from "./supplies";
import { text } from "./text";

/** Unusual increases and exceeded rules: the open ones, or all. */
export function FindingsTab() {
  const { state, page = 0 } = useSearch({ from: "/economy" });
  const navigate = useNavigate({ from: "/economy" });
  const findings = useQuery({
    ...get("/api/v1/economy/findings", {
      params: { query: { page, pageSize: PAGE_SIZE, ...(state !== "all" && { state: "open" }) } },
    }),
    placeholderData: keepPreviousData,
  });
  return (
    <Stack>
      <SegmentedControl
        aria-label={text.findings.which}
        style={{ alignSelf: "flex-start" }}
        value={state ?? "open"}
        data={[
          { value: "open", label: text.findings.open },
          { value: "all", label: text.findings.all },
        ]}
        onChange={(next) =>
          void navigate({
            search: { tab: "findings", ...(next === "all" && { state: "all" as const }) },
          })
        }
      />
      <Answered query={findings}>
        {({ Values, Total }) =>
          Values.length === 0 ? (
            <Empty title={text.findings.none} hint={text.findings.noneHint} />
          ) : (
            <>
              <FindingTable findings={Values} />
              <Pager
                page={page}
                pageSize={PAGE_SIZE}
                total={Total}
                onPage={(next) => void navigate({ search: (now) => ({ ...now, page: next }) })}
              />
            </>
          )
        }
      </Answered>
    </Stack>
  );
}
