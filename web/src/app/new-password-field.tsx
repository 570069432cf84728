import { Trans } from "@lingui/react/macro";
import type { VestryError } from "@vestry/sdk";
import { useEffect, useRef } from "react";
import { commonPasswords, PASSWORD_LENGTH } from "../data/new-password.ts";
import { fieldOf } from "../data/problems.ts";
import { PasswordField } from "../ui/password-field.tsx";
import { FormFailure } from "./attempt.tsx";
import { ProblemWords } from "./problem-words.tsx";

/** The field of a password to set. The reason why it cannot be set stands there, and every other failure below it. */
export function NewPasswordField({
  name,
  error,
  lengthMin,
}: {
  name: string;
  error: VestryError | undefined;
  lengthMin: number;
}) {
  const input = useRef<HTMLInputElement>(null);
  const problem = error?.errors.find((one) => fieldOf(one) === "new-password");
  useEffect(() => {
    if (problem !== undefined) input.current?.focus();
  }, [problem]);
  return (
    <>
      <PasswordField
        label={<Trans>New password</Trans>}
        help={
          <Trans>
            At least {lengthMin} characters. A sentence of several words is a good password.
          </Trans>
        }
        error={problem && <ProblemWords problem={problem} />}
        ref={input}
        name={name}
        autoComplete="new-password"
        maxLength={PASSWORD_LENGTH.most}
        onFocus={() => void commonPasswords()}
        required
      />
      <FormFailure error={problem === undefined ? error : undefined} />
    </>
  );
}
