import assert from "node:assert/strict";
import { signInFeature } from "../../src/features/sign-in/feature.ts";
import { createMailer } from "../../src/mail/mailer.ts";
import type { MailServer } from "./mail-server.ts";
import { testServices, workOn } from "./queues.ts";
import { type Answer, document, one, type RequestOptions, type TestService } from "./service.ts";

/** Sends the mails of sign-in through a mail server until the test ends. */
export const sendMails = (
  context: Parameters<typeof workOn>[0],
  service: TestService,
  server: Pick<MailServer, "url">,
) =>
  workOn(context, service.database, signInFeature.queues ?? [], {
    ...testServices(),
    mailer: createMailer({ url: server.url, from: "vestry@church.example" }),
  });

export const invite = (
  service: TestService,
  personId: string,
  attributes: Record<string, unknown> = { delivery: "link" },
  options: RequestOptions = {},
): Promise<Answer> => {
  const relationships = { person: { data: { type: "people", id: personId } } };
  return service.post(
    "/v1/person-invitations",
    document("person-invitations", attributes, { relationships }),
    options,
  );
};

/** The token and the link of a response. */
export function revealed(answer: Answer): { token: string; link: string } {
  const { meta } = one(answer);
  assert.deepEqual(Object.keys(meta ?? {}), ["token", "link"]);
  return meta as { token: string; link: string };
}

/** The token in the fragment of a link. */
export const tokenIn = (link: string): string =>
  new URLSearchParams(new URL(link).hash.slice(1)).get("token") ?? "";

export const confirm = (
  service: TestService,
  token: string,
  password: string,
  options: RequestOptions = {},
): Promise<Answer> =>
  service.post(
    "/v1/password-reset-confirmations",
    document("password-reset-confirmations", { token, "new-password": password }),
    { as: null, ...options },
  );

export const requestReset = (
  service: TestService,
  username: string,
  options: RequestOptions & { account?: string } = {},
): Promise<Answer> =>
  service.post(
    "/v1/password-resets",
    document("password-resets", { username, account: options.account ?? service.account.alias }),
    { as: null, ...options },
  );

export const logIn = (
  service: TestService,
  username: string,
  password: string,
  { account = service.account.alias, ...options }: RequestOptions & { account?: string } = {},
): Promise<Answer> =>
  service.post("/authenticate", { username, password, account }, { as: null, ...options });
