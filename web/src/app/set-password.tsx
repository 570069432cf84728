import { Trans, useLingui } from "@lingui/react/macro";
import { type FormEvent, useEffect, useState } from "react";
import { assertNewPassword, PASSWORD_LENGTH } from "../data/new-password.ts";
import { confirmPassword } from "../data/session.ts";
import { LinkButton } from "../ui/button.tsx";
import { speakFor } from "./languages.ts";
import { Gate } from "./gate.tsx";
import { SubmitButton, useAttempt } from "./attempt.tsx";
import { NewPasswordField } from "./new-password-field.tsx";
import { Message } from "./login-form.tsx";
import styles from "./login.module.css";

/** Invitations and password resets link here. Browsers do not send the fragment, so the token stays out of logs. */
function readLink() {
  const link = new URLSearchParams(location.hash.slice(1));
  return { token: link.get("token"), alias: link.get("account"), language: link.get("lang") };
}

export function SetPassword() {
  const { t } = useLingui();
  const [{ token, alias, language }] = useState(readLink);
  const [isDone, setDone] = useState(false);
  const attempt = useAttempt();

  useEffect(() => {
    if (language !== null) void speakFor(null, language);
  }, [language]);

  function submit(event: FormEvent<HTMLFormElement>) {
    const form = new FormData(event.currentTarget);
    attempt.run(event, async () => {
      const password = form.get("password") as string;
      // The service knows the length that the church asks for, and the names.
      const owner = { names: [], email: null, churchName: "", alias: alias ?? "" };
      await assertNewPassword(password, { lengthMin: PASSWORD_LENGTH.least, owner });
      await confirmPassword(token ?? "", password);
      // The token is used. It need not stay in the history of the browser.
      history.replaceState(history.state, "", location.pathname);
      setDone(true);
    });
  }

  return (
    <Gate documentTitle={t`Choose a password`} title={<Trans>Choose a password</Trans>}>
      {isDone ? (
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
      ) : token === null ? (
        <Message title={<Trans>This link is incomplete</Trans>}>
          <Trans>Open the link of the mail or message again.</Trans>
        </Message>
      ) : (
        <form className={styles.form} onSubmit={submit}>
          {alias !== null && (
            <p>
              <Trans>
                Church: <bdi>{alias}</bdi>
              </Trans>
            </p>
          )}
          <NewPasswordField name="password" error={attempt.error} />
          <SubmitButton attempt={attempt}>
            <Trans>Set the password</Trans>
          </SubmitButton>
        </form>
      )}
    </Gate>
  );
}
