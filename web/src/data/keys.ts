/** Keys of the cache: by type first, so that one call marks everything of a type as stale. */
export const keys = {
  session: ["session"] as const,
  type: (type: string) => [type] as const,
  one: (type: string, id: string, variant = "") => [type, "one", id, variant] as const,
  list: (type: string, params: object) => [type, "list", params] as const,
  page: (type: string, params: object, page: number) => [type, "page", params, page] as const,
};
