import type { Json } from "./json.ts";

/**
 * Components of one kind under their names. Equal components share the first name, so that the document states each one
 * once.
 */
export class Named {
  readonly all: Json = {};
  readonly #kind: string;
  readonly #names = new Map<string, string>();

  constructor(kind: "schemas" | "parameters") {
    this.#kind = kind;
  }

  /** A reference to the component, which is added under the first of these names that is free. */
  ref(component: Json, ...names: [string, ...string[]]): Json {
    const text = JSON.stringify(component);
    let name = this.#names.get(text);
    if (name === undefined) {
      name = names.find((one) => !Object.hasOwn(this.all, one));
      if (name === undefined) throw new Error(`Two ${this.#kind} are called ${names.join(", ")}.`);
      this.#names.set(text, name);
      this.all[name] = component;
    }
    return { $ref: `#/components/${this.#kind}/${name}` };
  }
}
