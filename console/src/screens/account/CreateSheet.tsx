import type { User } from "@gamekeeper/client";
import { Select, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { get, gk } from "~/api";
import type { Subject } from "~/change";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { text } from "./text";

/** Create a character of level 1 for an account; the undo deletes it again. */
export function CreateSheet({ user, onClose }: { user: User; onClose: () => void }) {
  const [typed, setName] = useState("");
  const [chosen, setClass] = useState<string | null>(null);
  const classes =
    useQuery(get("/api/v1/catalog/classes", { params: { query: { pageSize: 100 } } })).data
      ?.Values ?? [];
  // The id is known when the character is there.
  const subject = useRef<Subject>({}).current;
  const name = typed.trim();
  const kind = classes.find((one) => one.Id === chosen);
  const ready = name !== "" && kind !== undefined;
  return (
    <ChangeSheet
      permission="players.manage"
      opened
      onClose={onClose}
      title={text.create.title}
      whom={text.create.whom(user.Name)}
      subject={subject}
      preview={
        ready ? (
          <BeforeAfter
            changes={[
              {
                key: "character",
                label: name,
                note: text.create.level(kind.Name),
                before: null,
                after: text.create.exists,
              },
            ]}
          />
        ) : null
      }
      ready={ready}
      submitLabel={text.create.submit}
      done={text.create.done(name)}
      submit={async (reason, init) => {
        const made = await gk.post("/api/v1/users/{key}/players", {
          params: { path: { key: user.Id } },
          body: { name, classid: chosen ?? "", ...(reason && { reason }) },
          ...init,
        });
        subject.player = made.Id;
      }}
    >
      <TextInput
        label={text.create.name}
        description={text.create.nameHint}
        value={typed}
        maxLength={20}
        required
        data-autofocus
        autoComplete="off"
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Select
        label={text.create.class}
        data={classes.map(({ Id, Name }) => ({ value: Id, label: Name }))}
        value={chosen}
        searchable
        required
        onChange={setClass}
      />
    </ChangeSheet>
  );
}
