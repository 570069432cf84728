import { useLingui } from "@lingui/react/macro";
import { type ComponentProps, useState } from "react";
import { TextField } from "../ui/field.tsx";
import { mistakeIn } from "./rules.ts";

/** The address of a receiver. When the focus leaves it, the field says what is wrong with it as far as that can be seen. */
export function UrlField({
  error,
  onChange,
  value,
  ...rest
}: Omit<ComponentProps<typeof TextField>, "label" | "value"> & { value: string | number }) {
  const { t } = useLingui();
  const [isLeft, setLeft] = useState(false);
  const mistake = isLeft && value !== "" ? mistakeIn(String(value)) : undefined;
  const words = {
    form: t`This is not a web address. It begins with https://.`,
    https: t`The address must begin with https://.`,
    credentials: t`The address must not contain a user name or a password.`,
    fragment: t`The address must not contain a #.`,
  };
  return (
    <TextField
      {...rest}
      value={value}
      onChange={onChange}
      onBlur={() => setLeft(true)}
      label={t`URL`}
      help={t`The public address of the program, such as https://crm.example.org/hooks/vestry.`}
      error={error ?? (mistake && words[mistake])}
      type="url"
      dir="ltr"
      autoComplete="off"
      spellCheck={false}
      maxLength={2048}
      required
    />
  );
}
