import { Button, Group, SegmentedControl, Select } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { text as cases } from "~/parts/cases/text";
import { SavedFilters } from "~/parts/saved/SavedFilters";
import { optional } from "~/search";
import { CATEGORIES, SEVERITIES, SHOWN } from "./search";
import { text } from "./text";

/** Which cases: open, mine, unclaimed or closed, by category and severity. */
export function CaseFilters() {
  const { show, category, severity } = useSearch({ from: "/moderation" });
  const navigate = useNavigate();

  function set(parts: Partial<Record<"show" | "category" | "severity", string | undefined>>) {
    const {
      show: shown,
      category: about,
      severity: level,
    } = { show, category, severity, ...parts };
    void navigate({
      to: "/moderation",
      search: optional({
        tab: "reports" as const,
        show: SHOWN.find((one) => one === shown),
        category: CATEGORIES.find((one) => one === about),
        severity: SEVERITIES.find((one) => one === level),
      }),
    });
  }

  return (
    <Group gap="sm" align="flex-end" component="search" aria-label={text.reports.filters}>
      <SegmentedControl
        aria-label={text.reports.state}
        value={show ?? ""}
        onChange={(value) => set({ show: value })}
        data={[
          { value: "", label: text.reports.open },
          ...SHOWN.map((one) => ({ value: one, label: text.reports.shown[one] })),
        ]}
      />
      <Select
        aria-label={text.reports.category}
        placeholder={text.reports.category}
        w={180}
        clearable
        value={category ?? null}
        onChange={(value) => set({ category: value ?? undefined })}
        data={CATEGORIES.map((one) => ({ value: one, label: cases.categories[one] }))}
      />
      <Select
        aria-label={text.reports.severity}
        placeholder={text.reports.severity}
        w={140}
        clearable
        value={severity ?? null}
        onChange={(value) => set({ severity: value ?? undefined })}
        data={SEVERITIES.map((one) => ({
          value: one,
          label: cases.severities[Number(one)] ?? one,
        }))}
      />
      <SavedFilters list="reports" />
      {(show || category || severity) && (
        <Button
          variant="subtle"
          onClick={() => set({ show: undefined, category: undefined, severity: undefined })}
        >
          {text.filters.clear}
        </Button>
      )}
    </Group>
  );
}
