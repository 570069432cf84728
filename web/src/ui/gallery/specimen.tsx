/** The frames of the gallery, and what its sections show. */
import { type ReactNode, useState } from "react";
import { Avatar } from "../avatar.tsx";
import type { Option } from "../combo-field.tsx";
import { contains } from "../names.ts";
import styles from "./gallery.module.css";

export const nothing = (): undefined => undefined;

export const LONG_NAME = "Maria da Conceição Albuquerque de Vasconcelos e Sousa-Montenegro";
export const LONG_TEXT =
  "The group meets in the house of the Donaudampfschifffahrtsgesellschaftskapitän, behind the harbor, on every second Thursday.";
export const HEBREW_NAME = "יעקב בן־אברהם";
export const REASON = "Choose a person first.";
export const ERROR = "A number with the code of the country, such as +351 912 345 678.";

export const Specimen = ({ state, children }: { state: string; children: ReactNode }) => (
  <div className={styles.specimen}>
    <small>{state}</small>
    {children}
  </div>
);

export const Beside = ({ children }: { children: ReactNode }) => (
  <div className={styles.beside}>{children}</div>
);

export const Grid = ({ children }: { children: ReactNode }) => (
  <div className={styles.grid}>{children}</div>
);

/** Keeps the value of a component whose owner keeps it otherwise. */
export function Held<Value>({
  start,
  children,
}: {
  start: Value;
  children: (value: Value, onChange: (value: Value) => void) => ReactNode;
}) {
  const [value, setValue] = useState(start);
  return children(value, setValue);
}

export const ADDRESS = {
  street: "Rua das Escolas Gerais",
  number: "112",
  complement: "3.º esquerdo",
  neighborhood: "Alfama",
  city: "Lisboa",
  "postal-code": "1100",
  country: "PT",
};

export const PEOPLE = Array.from({ length: 40 }, (_, index) => ({
  id: String(index),
  name: ["Ana Costa", LONG_NAME, HEBREW_NAME, "Rui Santos"][index] ?? `Person ${index + 1}`,
}));
export type Person = (typeof PEOPLE)[number];

export const findPeople = (text: string): Promise<Option[]> =>
  Promise.resolve(
    PEOPLE.filter(({ name }) => contains(name, text)).map(({ id, name }) => ({
      id,
      label: name,
      detail: "Alfama",
      face: <Avatar name={name} size={28} />,
    })),
  );
