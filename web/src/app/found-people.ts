type Found = {
  "full-name": string;
  "email"?: string | null | undefined;
  "phones"?: readonly { number: string; display?: string | undefined }[] | undefined;
  "cells"?: readonly { name: string }[] | undefined;
  "age"?: number | null | undefined;
};

/**
 * A few words beside the name of each person who was found: a number or an address. People of one name, who may share it, are
 * told apart by their group and their age.
 */
export function detailsOf(people: readonly Found[], years: (age: number) => string): string[] {
  const names = Map.groupBy(people, (one) => one["full-name"]);
  return people.map(({ "full-name": name, age, cells, email, phones }) => {
    const reach = phones?.[0]?.display ?? phones?.[0]?.number ?? email;
    const group = cells?.[0]?.name;
    const old = typeof age === "number" ? years(age) : undefined;
    const all = [reach, group, old].filter((one) => one !== undefined && one !== null);
    return all.slice(0, names.get(name)?.length === 1 ? 1 : undefined).join(" · ");
  });
}
