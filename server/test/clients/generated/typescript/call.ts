import createClient from "openapi-fetch";
import type { paths, webhooks } from "./vestry.d.ts";

const MEDIA_TYPE = "application/vnd.api+json";

/** Creates a course and finds it in a list, with the types that the generator made. */
export async function call(baseUrl: string, headers: Record<string, string>) {
  const client = createClient<paths>({
    baseUrl,
    headers: { ...headers, "Accept": MEDIA_TYPE, "Content-Type": MEDIA_TYPE },
    querySerializer: { array: { style: "form", explode: false } },
  });
  const created = await client.POST("/v1/courses", {
    body: {
      data: {
        type: "courses",
        attributes: { "name": "Discipleship", "price": 1_500, "price-currency": "BRL" },
      },
    },
  });
  const listed = await client.GET("/v1/courses", {
    params: { query: { "filter[name]": "Discipleship", "sort": ["-name"], "page[size]": 5 } },
  });
  const refused = await client.POST("/v1/courses", {
    body: { data: { type: "courses", attributes: { name: "" } } },
  });
  return {
    id: created.data?.data.id,
    names: listed.data?.data.map(({ attributes }) => attributes?.name),
    total: listed.data?.meta.total,
    code: refused.error?.errors[0]?.code,
  };
}

type Message =
  webhooks["person.updated"]["post"]["requestBody"]["content"]["application/vnd.api+json"];

/** Compiles only if a receiver can read the members of an event with the generated types. */
export const nameIn = ({ data }: Message): string | undefined =>
  data.attributes["event-type"] === "person.updated"
    ? data.attributes.snapshot.attributes["full-name"]
    : undefined;
