import { Badge, Button, Group, Paper, Stack, Text, Tooltip } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get } from "~/api";
import { ActionRow } from "~/parts/actions/ActionRow";
import classes from "~/parts/actions/actions.module.css";
import { Listed } from "~/parts/actions/Phrase";
import { Actor, PlayerName } from "~/parts/actions/people";
import { text as words } from "~/parts/actions/text";
import { UndoTradeSheet } from "~/parts/actions/UndoTradeSheet";
import { Answered } from "~/parts/states";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import { text } from "./text";

/** One trade: who took part, what each side gave and received, and the way back. */
export function OneTrade({ id }: { id: string }) {
  const [opened, setOpened] = useState(false);
  const may = useMay("actions.undo");
  const trade = useQuery(
    get("/api/v1/transactions/{id}", { params: { path: { id }, query: { names: true } } }),
  );
  return (
    <Answered query={trade}>
      {(found) => {
        const names = new Map(found.Players.map((party) => [party.PlayerId, party.Name]));
        return (
          <Stack gap="md">
            <Group justify="space-between">
              <Text component="div">
                <Listed
                  values={found.Players.map((party) => (
                    <PlayerName key={party.PlayerId} name={party.Name} />
                  ))}
                  and={words.and}
                />
                <Text span c="dimmed" size="sm">
                  {" · "}
                  <When at={found.At} span /> · <Actor entry={found} />
                  {found.Reason && ` · ${words.quote(found.Reason)}`}
                </Text>
              </Text>
              {found.IsUndone ? (
                <Badge variant="default">{text.trade.undone}</Badge>
              ) : (
                <Tooltip label={words.undo.mayNot("actions.undo")} disabled={may}>
                  <Button
                    variant="default"
                    data-disabled={!may || undefined}
                    aria-disabled={!may}
                    onClick={() => may && setOpened(true)}
                  >
                    {text.trade.undo}
                  </Button>
                </Tooltip>
              )}
            </Group>
            <Paper withBorder component="ul" className={classes.list} aria-label={text.trade.label}>
              {found.Actions.map((entry) => (
                <ActionRow
                  key={entry.Id}
                  entry={{ ...entry, PlayerName: names.get(entry.PlayerId ?? "") ?? null }}
                  isOpen
                />
              ))}
            </Paper>
            <UndoTradeSheet
              transaction={id}
              player={found.Players[0]?.PlayerId}
              opened={opened}
              onClose={() => setOpened(false)}
            />
          </Stack>
        );
      }}
    </Answered>
  );
}
