import type { WholeCatalogue } from "../jsonapi/definition/whole-catalogue.ts";
import { MEDIA_TYPE } from "../jsonapi/request/media-type.ts";
import type { Json } from "./json.ts";
import { nameIn } from "./shape.ts";
import { interfaceOf, type Member, type TypeScript, union } from "./typescript.ts";

/** A type without a definition, whose routes are written by hand. The OpenAPI document describes them. */
export interface TypeByHand {
  type: string;
  /** An action has no resource that could be read. */
  isAction: boolean;
  /** The type of its values or of its record, and the declarations that it needs. */
  reference: string;
  declarations: readonly string[];
  facts: Json;
}

interface Operation {
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
}

type Content = Record<string, { schema: Json }>;
type Methods = Partial<Record<"get" | "post" | "delete", Operation>>;

/** The types that the document has directly under `/v1` and that the catalogue lacks. A feed has no resources that could be read. */
export function typesByHand(
  types: TypeScript,
  { commands, resources }: WholeCatalogue,
  document: Json,
): TypeByHand[] {
  const paths = document["paths"] as Record<string, Methods>;
  const names = Object.keys(paths).flatMap((path) => /^\/v1\/([a-z-]+)$/.exec(path)?.[1] ?? []);
  return names
    .filter((type) => !resources.has(type) && !commands.has(type))
    .filter((type) => !paths[`/v1/${type}`]?.get || paths[`/v1/${type}/{id}`])
    .map((type) => {
      const all = paths[`/v1/${type}`] ?? {};
      const one = paths[`/v1/${type}/{id}`] ?? {};
      return all.get
        ? resourceByHand(types, { type, all, one })
        : actionByHand(types, type, all.post);
    });
}

const membersIn = (schema: Json | undefined): Record<string, Json> =>
  (schema?.["properties"] ?? {}) as Record<string, Json>;

const dataOf = (content: Content | undefined): Json =>
  membersIn(content?.[MEDIA_TYPE]?.schema)["data"] ?? {};

function actionByHand(types: TypeScript, type: string, post: Operation | undefined): TypeByHand {
  const data = membersIn(dataOf(post?.requestBody?.content));
  const links = Object.entries(membersIn(data["relationships"])).map(([name, linkage]) => {
    const identifier = nameIn(membersIn(linkage)["data"]?.["$ref"]);
    return [name, String(types.membersOf(identifier)["type"]?.["const"])] as const;
  });
  const required = (data["attributes"]?.["required"] ?? []) as string[];
  const values = [
    ...Object.entries(membersIn(data["attributes"])).map(([name, one]) =>
      required.includes(name)
        ? `${JSON.stringify(name)}: ${types.of(one)}`
        : `${JSON.stringify(name)}?: ${types.of(one)} | undefined`,
    ),
    ...links.map(([name, target]) => `${JSON.stringify(name)}: Reference<${union([target])}>`),
  ];
  return {
    type,
    isAction: true,
    reference: `{ ${values.join("; ")} }`,
    declarations: [],
    facts: { links: Object.fromEntries(links) },
  };
}

function resourceByHand(
  types: TypeScript,
  { all, one, type }: { type: string; all: Methods; one: Methods },
): TypeByHand {
  const { items } = dataOf(all.get?.responses["200"]?.content) as { items?: Json };
  const name = nameIn(items?.["$ref"]);
  const attributes = membersIn(types.membersOf(name)["attributes"]);
  const record = Object.entries(attributes).map(([key, schema]): Member => {
    return [key, types.of(schema), { comment: schema["description"] as string | undefined }];
  });
  const does = ["list", ...(one.get ? ["get"] : []), ...(one.delete ? ["delete"] : [])];
  return {
    type,
    isAction: false,
    reference: `${name}Type`,
    declarations: [
      interfaceOf(`${name}Type`, [
        ["record", name],
        ["links", "{}"],
        ["filters", "{}"],
        ["sorts", "never"],
        ["create", "never"],
        ["change", "never"],
        ["does", union(does)],
        ["linkable", "never"],
        ["files", "{}"],
      ]),
      interfaceOf(`${name} extends Base<${JSON.stringify(type)}>`, record),
    ],
    facts: { links: {}, numbered: [""] },
  };
}
