import type { Approval } from "@gamekeeper/client";
import { Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { get } from "~/api";
import { exact } from "~/format";
import { useItem } from "~/items";
import { ActionSentence } from "~/parts/actions/ActionSentence";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { AccountLink, PlayerLink } from "~/parts/people";
import { Answered } from "~/parts/states";
import { useExact } from "~/parts/When";
import { useTimeZone } from "~/preferences";
import { WorkSentence } from "~/screens/live-ops/campaigns/WorkSentence";
import { describedPlan } from "~/screens/live-ops/schedules/plan";
import { useMay } from "~/session";
import { giftOf, namedIn, planOf } from "./approval";
import { text } from "./text";

/** What a request would do, before → after where that can be told. */
export function ApprovalChange({ approval }: { approval: Approval }) {
  const gift = giftOf(approval);
  const named = namedIn(approval);
  if (gift && named.player) {
    return <Gift player={named.player} {...gift} isPending={approval.State === "pending"} />;
  }
  if (approval.Kind === "items.restore" && named.player && named.at) {
    return <Restoration player={named.player} at={named.at} />;
  }
  const plan = planOf(approval);
  if (plan) return <Planned {...plan} />;
  if (named.action) return <Undone id={named.action} />;
  if (named.transaction) {
    return (
      <Link to="/actions" search={{ transaction: named.transaction }}>
        {text.approvals.undoTrade}
      </Link>
    );
  }
  if (named.campaign) return <CampaignOf id={named.campaign} />;
  if (approval.Kind === "undo.actor") return <BulkUndo named={named} />;
  return (
    <BeforeAfter
      changes={[
        {
          key: "moves",
          label: text.approvals.transaction,
          before: null,
          after: text.approvals.moves(named.moves),
        },
      ]}
    />
  );
}

function usePlayer(key: string) {
  return useQuery(get("/api/v1/players/{key}", { params: { path: { key } } }));
}

interface GiftProps {
  player: string;
  item: string;
  quantity: number;
  isPending: boolean;
}

/** How many they carry now, and how many after it; of one that is decided, how many it was. */
function Gift({ player, item, quantity, isPending }: GiftProps) {
  const who = usePlayer(player);
  const known = useItem(item);
  const items = useQuery({
    ...get("/api/v1/players/{key}/items", { params: { path: { key: player } } }),
    enabled: isPending,
  });
  if (!who.data && who.isLoading) return <Skeleton height={56} />;
  const slots = items.data ? [...items.data.inventory, ...items.data.bank] : null;
  const held = slots
    ?.filter((slot) => slot.ItemId === item)
    .reduce((sum, slot) => sum + slot.Quantity, 0);
  return (
    <Stack gap="sm">
      <Text>
        {text.approvals.to} {who.data ? <PlayerLink name={who.data.Name} /> : player}
      </Text>
      <BeforeAfter
        changes={[
          {
            key: item,
            itemId: item,
            label: known?.Name ?? item,
            note: held === undefined ? undefined : text.approvals.has,
            before: held ?? null,
            after: (held ?? 0) + quantity,
          },
        ]}
      />
    </Stack>
  );
}

function Restoration({ player, at }: { player: string; at: string }) {
  const who = usePlayer(player);
  const [zone] = useTimeZone();
  return (
    <BeforeAfter
      changes={[
        {
          key: "items",
          label: who.data ? <PlayerLink name={who.data.Name} /> : text.approvals.restoreTo,
          note: text.approvals.restoreTo,
          before: text.approvals.restoreNow,
          after: exact(new Date(at), zone),
        },
      ]}
    />
  );
}

function Undone({ id }: { id: string }) {
  const may = useMay("actions.read");
  const action = useQuery({
    ...get("/api/v1/actions/{id}", { params: { path: { id } } }),
    enabled: may,
  });
  if (!may) return <Text c="dimmed">{text.approvals.mayNotLog}</Text>;
  return (
    <Stack gap="xs">
      <Text>{text.approvals.undoAction}</Text>
      <Answered query={action} loading={<Skeleton height={24} />}>
        {(entry) => <ActionSentence entry={entry} />}
      </Answered>
    </Stack>
  );
}

type PlannedProps = NonNullable<ReturnType<typeof planOf>>;

/** The campaign that would be planned: what, when, for which segment, and for how many at most. */
function Planned({ name, most, segment, work, onJoin, zone, ...plan }: PlannedProps) {
  const read = useExact();
  const when = (at: string | undefined, cron: string | undefined) =>
    at ? read(at) : describedPlan({ Cron: cron ?? null, TimeZone: zone });
  return (
    <Stack gap="xs">
      <Text>
        {name}: {when(plan.startsAt, plan.cron)}, {segment}, {text.approvals.atMost(most)}
      </Text>
      <WorkSentence work={work} />
      {(plan.endsAt || plan.endsCron) && (
        <Text>
          {onJoin ? text.approvals.until : text.approvals.takenBack}:{" "}
          {when(plan.endsAt, plan.endsCron)}
        </Text>
      )}
    </Stack>
  );
}

/** The campaign that would be started or reversed, and for how many. */
function CampaignOf({ id }: { id: string }) {
  const may = useMay("campaigns.read");
  const campaign = useQuery({
    ...get("/api/v1/campaigns/{campaign_id}", { params: { path: { campaign_id: id } } }),
    enabled: may,
  });
  if (!may) return <Text c="dimmed">{text.approvals.mayNotCampaign}</Text>;
  return (
    <Answered query={campaign} loading={<Skeleton height={24} />}>
      {({ Name, Recipients }) => (
        <Text>
          {Name}: {text.approvals.recipients(Recipients)}
        </Text>
      )}
    </Answered>
  );
}

/** A bulk undo: of everything by an actor, or of what left a character or an account. */
function BulkUndo({ named }: { named: ReturnType<typeof namedIn> }) {
  const { actor, playerId, userId, what, since, until } = named;
  const [zone] = useTimeZone();
  const span = [since, until].map((at) => (at ? exact(new Date(at), zone) : ""));
  const words = what === "all" ? text.approvals.undoAll : text.approvals.undoLeft;
  return (
    <Stack gap="xs">
      <Text>
        {actor && text.approvals.undoActor}
        {playerId && (
          <>
            {words} <CharacterName id={playerId} />:
          </>
        )}
        {userId && (
          <>
            {words} {text.approvals.account} <AccountOf id={userId} />:
          </>
        )}
      </Text>
      <Text>{span.join(" – ")}</Text>
      <Link
        to="/actions"
        search={{
          ...(actor && { actor }),
          ...(playerId && { player: playerId }),
          ...(userId && { user: userId }),
        }}
      >
        {text.approvals.showLog}
      </Link>
    </Stack>
  );
}

function CharacterName({ id }: { id: string }) {
  const who = usePlayer(id);
  return who.data ? <PlayerLink name={who.data.Name} /> : id;
}

function AccountOf({ id }: { id: string }) {
  const may = useMay("users.query");
  const query = get("/api/v1/users/{key}", { params: { path: { key: id } } });
  const who = useQuery({ ...query, enabled: may });
  return who.data ? <AccountLink name={who.data.Name} /> : id;
}
