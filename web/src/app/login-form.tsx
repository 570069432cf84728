import { Trans, useLingui } from "@lingui/react/macro";
import { type Bootstrap, VestryError } from "@vestry/sdk";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import {
  type Church,
  forgetChurch,
  openSession,
  rememberedChurch,
  requestPasswordReset,
  sendsMail,
} from "../data/session.ts";
import { Button } from "../ui/button.tsx";
import { CheckField, TextField } from "../ui/field.tsx";
import { PasswordField } from "../ui/password-field.tsx";
import styles from "./login.module.css";
import { FormFailure, SubmitButton, useAttempt } from "./attempt.tsx";

type Typed = { username: string; password: string; remember: boolean };

type Step =
  | { name: "password" }
  | { name: "church"; typed: Typed; churches: Church[] }
  | { name: "inactive" }
  | { name: "forgotten"; username: string; mail: boolean }
  | { name: "mailed" };

/** E-mail and password, then the church if the password fits several. The page and the dialog over a page share it. */
export default function LoginForm({ onDone }: { onDone: (session: Bootstrap) => void }) {
  const { t } = useLingui();
  const [step, setStep] = useState<Step>({ name: "password" });
  const [username, setUsername] = useState("");
  const [church, setChurch] = useState(rememberedChurch);
  const attempt = useAttempt();

  async function logIn(typed: Typed, account?: string): Promise<void> {
    try {
      onDone(await openSession({ ...typed, account }));
    } catch (error) {
      if (!(error instanceof VestryError)) throw error;
      if (error.code === "account-inactive") return setStep({ name: "inactive" });
      if (error.code !== "choose-account") throw error;
      const churches = error.meta.accounts as Church[];
      const known = churches.find(({ alias }) => alias === church?.alias);
      if (known && account === undefined) return logIn(typed, known.alias);
      setStep({ name: "church", typed, churches });
    }
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    const form = new FormData(event.currentTarget);
    attempt.run(event, () =>
      logIn({
        username: form.get("username") as string,
        password: form.get("password") as string,
        remember: form.has("remember"),
      }),
    );
  }

  const back = (
    <Button
      kind="quiet"
      onClick={() => {
        attempt.reset();
        setStep({ name: "password" });
      }}
    >
      <Trans>Back</Trans>
    </Button>
  );

  switch (step.name) {
    case "inactive":
      return (
        <Message title={<Trans>This account is closed</Trans>} action={back}>
          <Trans>Nobody can log in to it at the moment. Please ask your church.</Trans>
        </Message>
      );
    case "church":
      return (
        <div className={styles.form}>
          <h2>
            <Trans>Which church?</Trans>
          </h2>
          {step.churches.map(({ alias, name }) => (
            <Button
              key={alias}
              busy={attempt.isBusy}
              onClick={(event) => attempt.run(event, () => logIn(step.typed, alias))}
            >
              <bdi>{name}</bdi>
            </Button>
          ))}
          <FormFailure error={attempt.error} />
          {back}
        </div>
      );
    case "forgotten":
      return step.mail ? (
        <Forgotten
          username={step.username}
          church={church}
          back={back}
          onDone={() => setStep({ name: "mailed" })}
        />
      ) : (
        <Message title={<Trans>Forgot your password?</Trans>} action={back}>
          <Trans>
            This service sends no mail. Ask the person who keeps the records of your church for a
            link to set a new password.
          </Trans>
        </Message>
      );
    case "mailed":
      return (
        <Message title={<Trans>Look into your mail</Trans>} action={back}>
          <Trans>
            If this address has a log-in, a mail with a link is on its way. The link works for one
            hour.
          </Trans>
        </Message>
      );
    case "password":
      return (
        <form className={styles.form} onSubmit={submit}>
          <TextField
            label={<Trans>E-mail</Trans>}
            name="username"
            type="email"
            inputMode="email"
            autoComplete="username"
            autoCapitalize="none"
            value={username}
            onChange={(event) => setUsername(event.target.value)}
            maxLength={254}
            required
          />
          <PasswordField
            label={<Trans>Password</Trans>}
            name="password"
            autoComplete="current-password"
            required
          />
          <CheckField label={<Trans>Keep me logged in on this device</Trans>} name="remember" />
          <FormFailure error={attempt.error} />
          <SubmitButton attempt={attempt}>
            <Trans>Log in</Trans>
          </SubmitButton>
          <div className={styles.aside}>
            <button
              type="button"
              onClick={(event) =>
                attempt.run(event, async () =>
                  setStep({ name: "forgotten", username, mail: await sendsMail() }),
                )
              }
            >
              <Trans>Forgot your password?</Trans>
            </button>
            {church && (
              <button
                type="button"
                title={t`Forgets ${church.name} on this device`}
                onClick={() => {
                  forgetChurch();
                  setChurch(undefined);
                }}
              >
                <Trans>Another church</Trans>
              </button>
            )}
          </div>
        </form>
      );
  }
}

function Forgotten({
  username,
  church,
  back,
  onDone,
}: {
  username: string;
  church: Church | undefined;
  back: ReactNode;
  onDone: () => void;
}) {
  const attempt = useAttempt();
  function submit(event: FormEvent<HTMLFormElement>) {
    const form = new FormData(event.currentTarget);
    attempt.run(event, async () => {
      await requestPasswordReset(form.get("username") as string, church?.alias);
      onDone();
    });
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <h2>
        <Trans>Forgot your password?</Trans>
      </h2>
      <TextField
        label={<Trans>E-mail</Trans>}
        name="username"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        defaultValue={username}
        maxLength={254}
        required
      />
      <FormFailure error={attempt.error} />
      <SubmitButton attempt={attempt}>
        <Trans>Send me a link</Trans>
      </SubmitButton>
      {back}
    </form>
  );
}

export function Message({
  title,
  children,
  action,
}: {
  title: ReactNode;
  children: ReactNode;
  action?: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className={styles.form}>
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      <p>{children}</p>
      {action}
    </div>
  );
}
