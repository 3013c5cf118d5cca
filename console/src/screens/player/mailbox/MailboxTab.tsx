import type { Letter, Player } from "@gamekeeper/client";
import { Alert, Button, Group, SegmentedControl, Stack } from "@mantine/core";
import { IconLock, IconMailPlus } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { gk } from "~/api";
import { MayButton } from "~/parts/MayButton";
import { Answered, Empty } from "~/parts/states";
import { useMay } from "~/session";
import { LetterCard } from "./LetterCard";
import { LetterSheet } from "./LetterSheet";
import type { LetterChange } from "./letter";
import { SendLetterSheet } from "./SendLetterSheet";
import { text } from "./text";

const PAGE_SIZE = 20;

interface Change {
  change: LetterChange;
  letter: Letter;
}

/** The letters of a character, newest first: those in the mailbox, or those that ended. */
export function MailboxTab({ player }: { player: Player }) {
  const { ended } = useSearch({ from: "/players/$key" });
  const navigate = useNavigate({ from: "/players/$key" });
  const letters = useLetters(player.Id, ended === true);
  const mayRead = useMay("chat.private");
  const mayChange = useMay("players.items");
  const [sending, setSending] = useState(false);
  const [changing, setChanging] = useState<Change | null>(null);
  return (
    <Stack>
      <Group justify="space-between">
        <SegmentedControl
          aria-label={text.show}
          value={ended ? "ended" : "open"}
          onChange={(next) =>
            void navigate({
              search: ({ ended: _, ...now }) => ({
                ...now,
                ...(next === "ended" && { ended: true as const }),
              }),
            })
          }
          data={[
            { value: "open", label: text.inMailbox },
            { value: "ended", label: text.ended },
          ]}
        />
        <MayButton
          refusal={mayChange ? null : text.mayNot}
          leftSection={<IconMailPlus size={16} />}
          variant="default"
          onClick={() => setSending(true)}
        >
          {text.send.title}
        </MayButton>
      </Group>
      {!mayRead && (
        <Alert icon={<IconLock />} color="gray">
          {text.hiddenHint}
        </Alert>
      )}
      <Answered query={letters}>
        {({ pages }) => {
          const all = pages.flatMap((page) => page.Values);
          return all.length === 0 ? (
            <Empty
              title={ended ? text.noneEnded : text.none}
              hint={ended ? text.noneEndedHint : text.noneHint}
            />
          ) : (
            <Stack component="section" aria-label={text.label}>
              {all.map((letter) => (
                <LetterCard
                  key={letter.Id}
                  letter={letter}
                  onChange={(change) => setChanging({ change, letter })}
                />
              ))}
            </Stack>
          );
        }}
      </Answered>
      {letters.hasNextPage && (
        <Button
          variant="default"
          loading={letters.isFetchingNextPage}
          onClick={() => void letters.fetchNextPage()}
        >
          {text.more}
        </Button>
      )}
      {sending && <SendLetterSheet player={player} onClose={() => setSending(false)} />}
      {changing && <LetterSheet player={player} {...changing} onClose={() => setChanging(null)} />}
    </Stack>
  );
}

/** The key begins with the path, so that events of the character load it anew. */
function useLetters(key: string, ended: boolean) {
  const params = { path: { key }, query: { limit: PAGE_SIZE, ...(ended && { ended }) } };
  return useInfiniteQuery({
    queryKey: ["/api/v1/players/{key}/mailbox", params],
    queryFn: ({ pageParam, signal }) =>
      gk.get("/api/v1/players/{key}/mailbox", {
        params: {
          ...params,
          query: { ...params.query, ...(pageParam && { cursor: pageParam }) },
        },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: (last) => last.Next,
    placeholderData: keepPreviousData,
  });
}
