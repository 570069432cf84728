import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type PasswordLink, VestryError } from "@vestry/sdk";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { assertNewPassword } from "../data/new-password.ts";
import {
  confirmPassword,
  openSession,
  passwordLinkOptions,
  sessionOptions,
} from "../data/session.ts";
import { LinkButton } from "../ui/button.tsx";
import { CheckField, TextField } from "../ui/field.tsx";
import { ErrorState, Skeleton } from "../ui/states.tsx";
import { Gate } from "./gate.tsx";
import { speakFor } from "./languages.ts";
import { SubmitButton, useAttempt } from "./attempt.tsx";
import { Message } from "./login-form.tsx";
import { NewPasswordField } from "./new-password-field.tsx";
import { FailureWords } from "./problem-words.tsx";
import { adopt } from "./session.tsx";
import styles from "./login.module.css";

/** Invitations and password resets link here. Browsers do not send the fragment, so the token stays out of logs. */
function readLink() {
  const link = new URLSearchParams(location.hash.slice(1));
  return { token: link.get("token"), language: link.get("lang") };
}

export function SetPassword() {
  const { t } = useLingui();
  const [{ token, language }] = useState(readLink);
  useEffect(() => {
    // The language of the mail is the best guess where the app does not speak that of the browser.
    if (language !== null) void speakFor(null, language);
  }, [language]);
  return (
    <Gate documentTitle={t`Choose a password`} title={<Trans>Choose a password</Trans>}>
      {token === null ? (
        <Message title={<Trans>This link is incomplete</Trans>}>
          <Trans>Open the link of the mail or message again.</Trans>
        </Message>
      ) : (
        <OfLink token={token} />
      )}
    </Gate>
  );
}

function OfLink({ token }: { token: string }): ReactNode {
  const { data: link, error, refetch } = useQuery(passwordLinkOptions(token));
  if (link) return <PasswordForm token={token} link={link} />;
  if (error?.code === "token-invalid")
    return (
      <Message title={<Trans>This link no longer works</Trans>}>
        <Trans>It works once and for a limited time. Ask for a new one.</Trans>
      </Message>
    );
  if (error?.code === "account-inactive")
    return (
      <Message title={<Trans>This account is closed</Trans>}>
        <Trans>Nobody can log in to it at the moment. Please ask your church.</Trans>
      </Message>
    );
  return error ? (
    <ErrorState message={<FailureWords error={error} />} onRetry={() => void refetch()} />
  ) : (
    <Skeleton height={240} />
  );
}

/** Sets the password, and logs in with it. */
function PasswordForm({ token, link }: { token: string; link: PasswordLink }) {
  const [isDone, setDone] = useState(false);
  const attempt = useAttempt();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { account, username } = link;

  async function logIn(password: string, remember: boolean): Promise<void> {
    try {
      const session = await openSession({ username, password, account: account.alias, remember });
      client.setQueryData(sessionOptions.queryKey, session);
      await adopt(session);
      await navigate({ to: "/", replace: true });
    } catch (error) {
      if (!(error instanceof VestryError)) throw error;
      // The password is set, and the form of the log-in says what is wrong.
      setDone(true);
    }
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    const form = new FormData(event.currentTarget);
    attempt.run(event, async () => {
      const password = form.get("password") as string;
      const { alias, name: churchName } = account;
      // The service also knows the names of the person.
      await assertNewPassword(password, {
        lengthMin: link["password-length-min"],
        owner: { names: [], email: username, churchName, alias },
      });
      await confirmPassword(token, password);
      // The token is used. It need not stay in the history of the browser.
      history.replaceState(history.state, "", location.pathname);
      await logIn(password, form.has("remember"));
    });
  }

  if (isDone)
    return (
      <Message
        title={<Trans>Your password is set</Trans>}
        action={
          <LinkButton to="/login" kind="filled">
            <Trans>Log in</Trans>
          </LinkButton>
        }
      >
        <Trans>You can now log in with your e-mail address and this password.</Trans>
      </Message>
    );
  return (
    <form className={styles.form} onSubmit={submit}>
      <p>
        <Trans>
          Church: <bdi>{account.name}</bdi>
        </Trans>
      </p>
      <TextField
        label={<Trans>E-mail</Trans>}
        name="username"
        type="email"
        autoComplete="username"
        value={username}
        readOnly
      />
      <NewPasswordField
        name="password"
        error={attempt.error}
        lengthMin={link["password-length-min"]}
      />
      <CheckField label={<Trans>Keep me logged in on this device</Trans>} name="remember" />
      <SubmitButton attempt={attempt}>
        <Trans>Set the password and log in</Trans>
      </SubmitButton>
    </form>
  );
}
