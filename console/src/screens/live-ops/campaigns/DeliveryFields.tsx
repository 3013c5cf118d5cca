import { NumberInput } from "@mantine/core";
import { DateTimeField } from "~/parts/DateTimeField";
import { type DeliveryDraft, MAX_RECIPIENTS } from "./delivery";
import { JoinField } from "./JoinField";
import { text } from "./text";

interface DeliveryFieldsProps {
  draft: DeliveryDraft;
  onChange: (parts: Partial<DeliveryDraft>) => void;
}

/** When recipients get a letter; on joining, until when and how many at most. */
export function DeliveryFields({ draft, onChange }: DeliveryFieldsProps) {
  return (
    <>
      <JoinField
        value={draft.onJoin}
        hint={text.form.onJoinHint}
        onChange={(onJoin) => onChange({ onJoin })}
      />
      {draft.onJoin && (
        <>
          <DateTimeField
            label={text.form.until}
            required
            value={draft.endsAt}
            onChange={(endsAt) => onChange({ endsAt })}
          />
          <NumberInput
            label={text.form.most}
            description={text.form.mostHint}
            min={1}
            max={MAX_RECIPIENTS}
            allowDecimal={false}
            thousandSeparator=","
            value={draft.most}
            onChange={(most) => onChange({ most })}
          />
        </>
      )}
    </>
  );
}
