import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { SubmitButton, useAttempt } from "../app/attempt.tsx";
import { NewPasswordField } from "../app/new-password-field.tsx";
import { useSession } from "../app/session.tsx";
import { keys } from "../data/keys.ts";
import { changePassword, ownRecordOptions } from "../data/me.ts";
import { assertNewPassword, PASSWORD_LENGTH } from "../data/new-password.ts";
import { newIntent } from "../data/write.ts";
import { Card } from "../ui/card.tsx";
import { PasswordField } from "../ui/password-field.tsx";
import { toast } from "../ui/toasts.tsx";
import styles from "./me.module.css";

export function PasswordCard() {
  const { t } = useLingui();
  const client = useQueryClient();
  const { account, person } = useSession();
  const lengthMin = account.settings["password-length-min"] ?? PASSWORD_LENGTH.usual;
  const { data } = useQuery(ownRecordOptions(person.id));
  const attempt = useAttempt();
  const form = useRef<HTMLFormElement>(null);

  async function change(typed: FormData): Promise<void> {
    const password = typed.get("new-password") as string;
    const owner = {
      names: [person["full-name"]],
      email: data?.email ?? null,
      churchName: account["church-name"],
      alias: account.alias,
    };
    await assertNewPassword(password, { lengthMin, owner });
    await changePassword(
      { "current-password": typed.get("current-password") as string, "new-password": password },
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
        <NewPasswordField name="new-password" error={attempt.error} lengthMin={lengthMin} />
        <div>
          <SubmitButton attempt={attempt} kind="plain">
            <Trans>Change the password</Trans>
          </SubmitButton>
        </div>
      </form>
    </Card>
  );
}
