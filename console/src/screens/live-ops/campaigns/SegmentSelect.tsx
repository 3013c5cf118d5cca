import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { get } from "~/api";
import { useMay } from "~/session";
import { text } from "./text";

interface SegmentSelectProps {
  value: string | null;
  onChange: (segment: string | null) => void;
}

/** The saved segments, for those who may see them. */
export function useSegments() {
  return useQuery({ ...get("/api/v1/segments"), enabled: useMay("segments.read") });
}

/** A saved segment, by name. */
export function SegmentSelect({ value, onChange }: SegmentSelectProps) {
  const mayRead = useMay("segments.read");
  const segments = useSegments();
  const names = segments.data?.Values.map(({ Name }) => Name) ?? [];
  const isEmpty = segments.isSuccess && names.length === 0;
  return (
    <Select
      label={text.form.segment}
      required
      searchable
      disabled={!mayRead}
      description={mayRead ? undefined : text.form.mayNotSegments}
      error={segments.isError && text.form.segmentsFailed}
      data={names}
      nothingFoundMessage={
        segments.isPending
          ? text.form.loadingSegments
          : isEmpty
            ? text.form.noSegments
            : text.form.noSegment
      }
      value={value}
      onChange={onChange}
    />
  );
}
