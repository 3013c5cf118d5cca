import { Text } from "@mantine/core";
import { clsx } from "clsx";
import classes from "./actions.module.css";
import type { Entry } from "./entry";
import { Phrase } from "./Phrase";
import { type About, AccountName, Actor, Whom } from "./people";
import { tell } from "./sentences";
import { text } from "./text";

interface ActionSentenceProps {
  entry: Entry;
  /** Whose page this is: not named in every sentence of it. */
  about?: About | undefined;
  /** Other actions of the list, so that an undo can say what it undid. */
  known?: ReadonlyMap<string, Entry> | undefined;
}

/** An action as a sentence, "Tomas gave Ana 5 × Healing Potion: “quest bug #812”". */
export function ActionSentence(props: ActionSentenceProps) {
  const { entry, about, known } = props;
  const { quote, isReport } = said(props);
  const words = quote ?? entry.Reason;
  return (
    <Text component="div" size="sm" className={classes.sentence}>
      <span className={clsx(entry.UndoneBy && classes.undone)}>
        <ActionPhrase entry={entry} about={about} known={known} />
        {words && (
          <>
            : <span className={classes.quote}>{text.quote(words)}</span>
          </>
        )}
      </span>
      {isReport && (
        <span className={classes.via}>
          {" · "}
          <Actor entry={entry} />
        </span>
      )}
    </Text>
  );
}

/** The sentence alone, without the reason. */
export function ActionPhrase(props: ActionSentenceProps) {
  const { entry, about } = props;
  const { form, parts } = said(props);
  return (
    <Phrase
      of={form}
      parts={{
        actor: <Actor entry={entry} />,
        target: <Whom entry={entry} about={about} />,
        user: <AccountName name={entry.UserName} id={entry.UserId} />,
        ...parts,
      }}
    />
  );
}

function said({ entry, about, known }: ActionSentenceProps) {
  const isHere = entry.PlayerId !== null && entry.PlayerId === about?.player?.id;
  return tell({ entry, about, isHere, known });
}
