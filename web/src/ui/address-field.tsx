import { Trans, useLingui } from "@lingui/react/macro";
import { type ReactNode, useMemo } from "react";
import { addressLines, type AddressPart, countries, countryName } from "./countries.ts";
import { Group, SelectField, TextField } from "./field.tsx";
import styles from "./compound.module.css";

export type AddressValue = { readonly [part in AddressPart | "country"]?: string | null };

function usePartLabels(): Record<AddressPart, string> {
  const { t } = useLingui();
  return {
    "street": t`Street`,
    "number": t`Number`,
    "complement": t`Apartment, floor`,
    "neighborhood": t`Neighborhood`,
    "city": t`City`,
    "state": t`State or district`,
    "postal-code": t`Postal code`,
  };
}

/** An address. The country decides the order of the other fields. */
export function AddressField({
  name,
  label,
  value,
  onChange,
  error,
  errorOf,
  defaultCountry,
}: {
  name: string;
  label: ReactNode;
  value: AddressValue | null;
  onChange: (value: AddressValue | null) => void;
  error?: ReactNode;
  errorOf: (part: string) => ReactNode;
  defaultCountry?: string | null | undefined;
}) {
  const labels = usePartLabels();
  const options = useMemo(() => [["", "–"] as const, ...countries()], []);
  const country = value?.country ?? (value === null ? defaultCountry : undefined) ?? "";
  const change = (part: string, text: string) => {
    const next = { ...value, country: country || null, [part]: text === "" ? null : text };
    // The country alone is no address.
    const isEmpty = Object.entries(next).every(([key, one]) => key === "country" || !one);
    onChange(isEmpty && part !== "country" ? null : next);
  };
  return (
    <Group name={name} label={label} error={error}>
      <SelectField
        label={<Trans>Country</Trans>}
        name={`${name}.country`}
        value={country}
        onChange={({ currentTarget }) => change("country", currentTarget.value)}
        options={options}
        error={errorOf("country")}
        autoComplete="off"
      />
      {addressLines(country).map((parts) => (
        <div key={parts.join()} className={styles.row}>
          {parts.map((part) => (
            <div
              key={part}
              className={part === "street" || part === "city" ? styles.wide : styles.part}
            >
              <TextField
                label={labels[part]}
                name={`${name}.${part}`}
                value={value?.[part] ?? ""}
                onChange={({ currentTarget }) => change(part, currentTarget.value)}
                error={errorOf(part)}
                autoComplete="off"
              />
            </div>
          ))}
        </div>
      ))}
    </Group>
  );
}

/** The lines of an address in the order of its country. */
export function AddressText({ address }: { address: AddressValue }) {
  const lines = [
    ...addressLines(address.country).map((parts) =>
      parts.flatMap((part) => address[part] || []).join(" "),
    ),
    address.country ? countryName(address.country) : "",
  ].filter((line) => line !== "");
  return lines.map((line, index) => (
    <bdi key={index} className={styles.addressLine}>
      {line}
    </bdi>
  ));
}
