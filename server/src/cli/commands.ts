import type { Command } from "./command.ts";

/**
 * Every command there is: the first word names the file. Loaded one by one, so that each starts with no more code than
 * it needs.
 */
const files: Readonly<Record<string, () => Promise<{ commands: readonly Command[] }>>> = {
  serve: () => import("./serve.ts"),
  migrate: () => import("./migrate.ts"),
  seed: () => import("./seed.ts"),
  doctor: () => import("./doctor.ts"),
  accounts: () => import("./accounts.ts"),
  integrations: () => import("./integrations.ts"),
  people: () => import("./people.ts"),
  keys: () => import("./keys.ts"),
  receive: () => import("./receive.ts"),
  explain: () => import("./explain.ts"),
  generate: () => import("./generate.ts"),
};

export const firstWords = Object.keys(files);

/** The commands of a first word; empty when there is none of that name. */
export async function commandsOf(word: string): Promise<readonly Command[]> {
  if (!Object.hasOwn(files, word)) return [];
  return (await files[word]?.())?.commands ?? [];
}

export async function allCommands(): Promise<readonly Command[]> {
  const loaded = await Promise.all(firstWords.map(commandsOf));
  return loaded.flat();
}
