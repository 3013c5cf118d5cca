import { Input, SegmentedControl } from "@mantine/core";
import { useId } from "react";
import { text } from "./text";

interface JoinFieldProps {
  value: boolean;
  /** What delivery on joining means. */
  hint: string;
  onChange: (onJoin: boolean) => void;
}

/** Whether recipients get a letter at the start, or when they next join. */
export function JoinField({ value, hint, onChange }: JoinFieldProps) {
  const label = useId();
  return (
    <Input.Wrapper
      label={text.form.when}
      labelElement="div"
      labelProps={{ id: label }}
      description={value ? hint : undefined}
      inputWrapperOrder={["label", "input", "description"]}
    >
      <SegmentedControl
        fullWidth
        aria-labelledby={label}
        data={[
          { value: "start", label: text.form.atStart },
          { value: "join", label: text.form.onJoin },
        ]}
        value={value ? "join" : "start"}
        onChange={(chosen) => onChange(chosen === "join")}
      />
    </Input.Wrapper>
  );
}
