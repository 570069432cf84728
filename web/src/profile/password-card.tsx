import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { FormFailure, SubmitButton, useAttempt } from "../app/attempt.tsx";
import { useSession } from "../app/session.tsx";
import { keys } from "../data/keys.ts";
import { changePassword, ownRecordOptions } from "../data/me.ts";
import { newIntent } from "../data/write.ts";
import { Card } from "../ui/card.tsx";
import { PasswordField } from "../ui/password-field.tsx";
import { toast } from "../ui/toasts.tsx";
import styles from "./me.module.css";

export function PasswordCard() {
  const { t } = useLingui();
  const client = useQueryClient();
  const { person } = useSession();
  const { data } = useQuery(ownRecordOptions(person.id));
  const attempt = useAttempt();
  const form = useRef<HTMLFormElement>(null);

  async function change(typed: FormData): Promise<void> {
    await changePassword(
      {
        "current-password": typed.get("current-password") as string,
        "new-password": typed.get("new-password") as string,
      },
      newIntent(),
    );
    form.current?.reset();
    toast(t`Your password was changed. All other log-ins have ended.`);
    void client.invalidateQueries({ queryKey: keys.type("access-tokens") });
  }

  return (
    <Card title={<Trans>Password</Trans>}>
      <form
        ref={form}
        className={styles.form}
        onSubmit={(event) => {
          const typed = new FormData(event.currentTarget);
          attempt.run(event, () => change(typed));
        }}
      >
        {/* Password managers store the new password under this name. */}
        <input
          type="text"
          autoComplete="username"
          key={data?.email}
          defaultValue={data?.email ?? ""}
          hidden
        />
        <PasswordField
          label={<Trans>Current password</Trans>}
          name="current-password"
          autoComplete="current-password"
          required
        />
        <PasswordField
          label={<Trans>New password</Trans>}
          help={
            <Trans>At least 6 characters. A sentence of several words is a good password.</Trans>
          }
          name="new-password"
          autoComplete="new-password"
          minLength={6}
          maxLength={140}
          required
        />
        <FormFailure error={attempt.error} />
        <div>
          <SubmitButton attempt={attempt} kind="plain">
            <Trans>Change the password</Trans>
          </SubmitButton>
        </div>
      </form>
    </Card>
  );
}
