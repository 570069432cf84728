import { useLingui } from "@lingui/react/macro";
import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, type ReactNode, useState } from "react";
import { IconButton } from "./button.tsx";
import { Field } from "./field.tsx";
import styles from "./field.module.css";

/** A password that can be shown and pasted. */
export function PasswordField({
  label,
  help,
  error,
  ...input
}: {
  label: ReactNode;
  help?: ReactNode;
  error?: ReactNode;
  autoComplete: "current-password" | "new-password";
} & Omit<ComponentProps<"input">, "id" | "type" | "className">) {
  const { t } = useLingui();
  const [isShown, setShown] = useState(false);
  return (
    <Field label={label} help={help} error={error}>
      {(described) => (
        <span className={styles.password}>
          <input
            className={styles.input}
            autoCapitalize="none"
            spellCheck={false}
            {...input}
            {...described}
            type={isShown ? "text" : "password"}
          />
          <IconButton
            label={isShown ? t`Hide the password` : t`Show the password`}
            icon={isShown ? <EyeOff size={18} /> : <Eye size={18} />}
            onClick={() => setShown(!isShown)}
          />
        </span>
      )}
    </Field>
  );
}
