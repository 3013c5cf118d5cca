import type { OnlineHistory, OnlineNow } from "@gamekeeper/client";
import { Skeleton } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { type Range, STEPS, useOnlineHistory } from "~/online";
import { Curve } from "~/parts/charts/Curve";
import { onlineChart } from "~/parts/charts/online";
import { RangeChoice } from "~/parts/RangeChoice";
import { Answered, Empty } from "~/parts/states";
import { When } from "~/parts/When";
import { text } from "./text";

const HEIGHT = 240;

/** How many played, over a day, a week or a month. */
export function OnlineCurve({ online }: { online: OnlineNow }) {
  const { range = "day" } = useSearch({ from: "/" });
  const history = useOnlineHistory(range);
  return (
    <Answered query={history} loading={<Skeleton height={HEIGHT + 80} />}>
      {(data) => <Points history={data} range={range} sampledAt={online.SampledAt} />}
    </Answered>
  );
}

interface PointsProps {
  history: OnlineHistory;
  range: Range;
  sampledAt: string | null;
}

function Points({ history, range, sampledAt }: PointsProps) {
  const navigate = useNavigate({ from: "/" });
  const data = useMemo(() => onlineChart(history, STEPS[range], text.curves), [history, range]);
  if (data.at.length === 0) return <Empty title={text.noCurve} hint={text.noCurveHint} />;
  return (
    <Curve
      title={text.curve}
      data={data}
      height={HEIGHT}
      isStacked={data.series.length > 1}
      beside={
        <RangeChoice
          range={range}
          onRange={(next) =>
            void navigate({ search: next === "day" ? {} : { range: next }, replace: true })
          }
        />
      }
      note={
        sampledAt && (
          <>
            {text.sampled} <When at={sampledAt} />.
          </>
        )
      }
    />
  );
}
