import { Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { Printer } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useHolds } from "../app/may.ts";
import { FailureWords } from "../app/problem-words.tsx";
import { useSession } from "../app/session.tsx";
import { setPublicPages } from "../data/church.ts";
import type { Question } from "../data/form-answers.ts";
import { type FormRecord, questionsOf } from "../data/forms.ts";
import { keys } from "../data/keys.ts";
import { newIntent, useWrite } from "../data/write.ts";
import { Button, OutwardButton } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { CheckField, TextField } from "../ui/field.tsx";
import { Banner, Skeleton } from "../ui/states.tsx";
import styles from "./forms.module.css";

// The code for the camera needs a library.
const QrCode = lazy(() => import("./qr-code.tsx").then((late) => ({ default: late.QrCode })));

/** Where visitors find the form: its address, and a code to print. */
export function Share({ form }: { form: FormRecord }) {
  const { t } = useLingui();
  const { account } = useSession();
  if (form["requires-login"])
    return (
      <p className={styles.narrow}>
        <Trans>
          People fill in this form after they log in. It has no address for visitors. You can change
          that in its settings.
        </Trans>
      </p>
    );
  if (account.settings["public-pages"] !== true)
    return (
      <div className={styles.narrow}>
        <PublicPages />
        <Card title={<Trans>On your own website</Trans>}>
          <p>
            <Trans>
              If your church has a website, it can show the form itself. Your web developer finds
              out how in the reference.
            </Trans>
          </p>
          <p>
            <a href="/docs" target="_blank" rel="noreferrer">
              <Trans>Open the reference</Trans>
            </a>
          </p>
        </Card>
      </div>
    );
  const path = `/c/${account.alias}/forms/${form.slug ?? form.id}`;
  const address = new URL(path, location.origin).href;
  const hidden = questionsOf(form).filter(({ type }) => type === "hidden");
  return (
    <div className={styles.narrow}>
      {form.status !== "open" && (
        <Banner>
          <Trans>The address works as soon as the form is open.</Trans>
        </Banner>
      )}
      <Card title={<Trans>Address</Trans>}>
        <Address address={address} hasSight />
      </Card>
      <Card
        title={<Trans>Code for cameras</Trans>}
        action={
          <Button kind="quiet" icon={<Printer size={15} />} onClick={() => print()}>
            <Trans>Print</Trans>
          </Button>
        }
      >
        <Suspense fallback={<Skeleton height={220} width={220} />}>
          <QrCode text={address} label={t`Code with the address of the form`} />
        </Suspense>
      </Card>
      {hidden.length > 0 && <FilledIn address={address} questions={hidden} />}
      <PublicPages />
    </div>
  );
}

/** An address to copy. */
function Address({ address, hasSight = false }: { address: string; hasSight?: boolean }) {
  return (
    <>
      <p className={styles.address} dir="ltr">
        {address}
      </p>
      <div className={styles.buttons}>
        <CopyButton key={address} text={address} />
        {hasSight && (
          <OutwardButton href={address} target="_blank">
            <Trans>See it</Trans>
          </OutwardButton>
        )}
      </div>
    </>
  );
}

/** The address that brings the values of hidden questions, so that the church sees where somebody found the form. */
function FilledIn({ address, questions }: { address: string; questions: readonly Question[] }) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const url = new URL(address);
  for (const { key } of questions) if (values[key]) url.searchParams.set(key, values[key]);
  return (
    <Card title={<Trans>Address with hidden values</Trans>}>
      <p className={styles.quiet}>
        <Trans>
          People who open this address send these values with their answers, and do not see them.
        </Trans>
      </p>
      {questions.map(({ key, label }) => (
        <TextField
          key={key}
          label={
            <>
              <bdi>{label}</bdi> <code>{key}</code>
            </>
          }
          value={values[key] ?? ""}
          maxLength={1_000}
          autoComplete="off"
          onChange={({ currentTarget: { value } }) => setValues({ ...values, [key]: value })}
        />
      ))}
      <Address address={url.href} />
    </Card>
  );
}

/** The switch for the pages of the church, on which forms have their addresses. */
function PublicPages() {
  const { account } = useSession();
  const client = useQueryClient();
  const mayChange = useHolds("accounts:write");
  const isOn = account.settings["public-pages"] === true;
  const write = useWrite(
    (next: boolean, { idempotencyKey }) => setPublicPages(account.id, next, idempotencyKey),
    {
      touches: ["accounts"],
      onDone: () => void client.invalidateQueries({ queryKey: keys.session }),
    },
  );
  if (isOn && !mayChange) return null;
  return (
    <Card title={<Trans>Public pages of the church</Trans>}>
      <p className={styles.quiet}>
        {mayChange ? (
          <Trans>
            Courses, groups and open forms have addresses that everybody can open, and search
            engines find them. Only what is marked as public appears.
          </Trans>
        ) : (
          <Trans>
            Your church has no public pages yet. An administrator turns them on here. The form then
            has an address of its own.
          </Trans>
        )}
      </p>
      {mayChange && (
        <CheckField
          label={<Trans>Show the public pages</Trans>}
          checked={isOn}
          disabled={write.isPending}
          onChange={({ currentTarget: { checked } }) =>
            write.mutate({ values: checked, intent: newIntent() })
          }
        />
      )}
      {write.error && (
        <p role="alert" className={styles.error}>
          <FailureWords error={write.error} />
        </p>
      )}
    </Card>
  );
}
