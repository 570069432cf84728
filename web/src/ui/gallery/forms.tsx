import { useRef } from "react";
import { Button } from "../button.tsx";
import { TextField } from "../field.tsx";
import { ErrorSummary, FormCard, type SummaryLine } from "../form-card.tsx";
import { Grid, LONG_TEXT, nothing } from "./specimen.tsx";

const SUMMARY: readonly SummaryLine[] = [
  { name: "form-name", label: "Full name", words: "is missing." },
  { words: "A colleague changed this person." },
];

export function Forms() {
  const form = useRef<HTMLFormElement>(null);
  const busy = useRef<HTMLFormElement>(null);
  const plain = useRef<HTMLFormElement>(null);
  const noForm = useRef<HTMLElement>(null);
  return (
    <>
      <Grid>
        <FormCard
          title="Invalid"
          formRef={form}
          summary={SUMMARY}
          onSubmit={nothing}
          onCancel={nothing}
          isBusy={false}
          reason="Nothing has changed."
        >
          <TextField label="Full name" name="form-name" error="is missing." />
        </FormCard>
        <FormCard
          title="Busy"
          formRef={busy}
          summary={[]}
          onSubmit={nothing}
          onCancel={nothing}
          isBusy
          extra={<Button>Save and add another</Button>}
        >
          <TextField label="Nickname" name="busy-name" />
        </FormCard>
        <FormCard
          formRef={plain}
          summary={[]}
          onSubmit={nothing}
          isBusy={false}
          submit="Send"
          isPlain
          isFilled={false}
        >
          <TextField label="Plain" name="plain-name" />
        </FormCard>
        <ErrorSummary form={noForm} lines={[{ words: LONG_TEXT }]} />
      </Grid>
    </>
  );
}
