import { Paper, Stack, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { get } from "~/api";
import { ActionRow } from "~/parts/actions/ActionRow";
import classes from "~/parts/actions/actions.module.css";
import { Answered } from "~/parts/states";
import { text } from "./text";

/** One action, opened; and the one that it undid. */
export function OneAction({ id }: { id: string }) {
  const action = useAction(id);
  return (
    <Answered query={action}>
      {(entry) => (
        <Stack gap="md">
          <Paper withBorder component="ul" className={classes.list} aria-label={text.one}>
            <ActionRow entry={entry} isOpen />
          </Paper>
          {entry.Undoes && <Undone id={entry.Undoes} />}
        </Stack>
      )}
    </Answered>
  );
}

function Undone({ id }: { id: string }) {
  const action = useAction(id);
  if (!action.data) return null;
  return (
    <section>
      <Title order={2} className={classes.day}>
        {text.undoes}
      </Title>
      <Paper withBorder component="ul" className={classes.list}>
        <ActionRow entry={action.data} isOpen />
      </Paper>
    </section>
  );
}

function useAction(id: string) {
  return useQuery(
    get("/api/v1/actions/{id}", { params: { path: { id }, query: { names: true } } }),
  );
}
