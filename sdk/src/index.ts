export {
  type Change,
  type ChangeAction,
  type ChangePage,
  type ChangeQuery,
  type FollowOptions,
  goesWith,
} from "./changes.ts";
export { type Login, Vestry } from "./client.ts";
export type {
  ChangeOptions,
  Collection,
  Collections,
  FileOptions,
  LinkOptions,
  Links,
  Options,
  Page,
  PageMeta,
  Versioned,
  WriteOptions,
} from "./collections.ts";
export { type Problem, ruleOf, Unreachable, VestryError } from "./errors.ts";
export type { Answer, RequestOptions, Transport } from "./request.ts";
export type { Bootstrap, Credentials } from "./session.ts";
export type {
  Fields,
  IncludePath,
  ListQuery,
  Member,
  PageChoice,
  Resource,
  Shape,
  Sort,
} from "./shapes.ts";
export type * from "./types.ts";
export {
  InvalidWebhook,
  verifyWebhook,
  type WebhookEvent,
  type WebhookMessage,
  type WebhookTest,
  type WebhookVerification,
} from "./verify.ts";
