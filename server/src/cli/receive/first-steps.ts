import type { Config } from "../../app/config.ts";
import { administratorEmail, demoAlias } from "../../app/demo.ts";
import type { EventType } from "../../events/event-types.ts";
import { localUrl } from "../../app/service.ts";
import { extractToken } from "../welcome.ts";
import type { OwnCertificate } from "./own-certificate.ts";

const events = [
  "person.created",
  "person.updated",
  "person.merged",
  "course.created",
  "course.updated",
] as const satisfies readonly EventType[];

/** The instructions printed at the start. */
export function firstSteps(config: Config, { authorityFile }: OwnCertificate, url: string) {
  return [
    "",
    `Receiving at ${url} and all paths below. Ctrl-C stops it.`,
    "",
    "1. Once: add these two lines to .env in the clone of the service, then start or restart the service. Without the",
    "   first line, the service pauses this endpoint when it has a message to send.",
    "",
    "WEBHOOK_ALLOW_NETWORKS=127.0.0.0/8",
    `WEBHOOK_CA_FILE=${authorityFile}`,
    "",
    "2. In another terminal, put the password of a full administrator into the first line. Then log in and register",
    "   this receiver. The service verifies it at once.",
    "",
    `   These lines call ${localUrl(config.host, config.port)}, from PORT in .env or in this terminal. If the service uses`,
    "   another port, start the receiver with the same one: PORT=<port> npx vestry receive",
    "",
    ...registering(config, url),
    "",
    "3. Paste the secret from the answer (whsec_…) here and press Enter. The secret is not shown. From then on,",
    "   signatures are checked.",
    "",
    "4. Cause an event:",
    "",
    addingACourse(config),
    "",
  ];
}

/** Calls like those of the web app, with a first-party origin and no client token. */
function registering(config: Config, url: string): string[] {
  const here = localUrl(config.host, config.port);
  const login = { username: administratorEmail, password: "<password>", account: demoAlias };
  const endpoint = {
    type: "webhook-endpoints",
    attributes: { name: "vestry receive", url, events },
  };
  return [
    `LOGIN='${JSON.stringify(login)}'`,
    `TOKEN=$(curl -sS ${here}/authenticate ${origin(config)} -H 'Content-Type: application/json' -d "$LOGIN" | ${extractToken})`,
    `curl -sS -w '\\n' ${here}/v1/webhook-endpoints ${document({ data: endpoint })}`,
  ];
}

function addingACourse(config: Config): string {
  const course = { type: "courses", attributes: { name: "Reading the Psalms" } };
  const here = localUrl(config.host, config.port);
  return `curl -sS -w '\\n' ${here}/v1/courses ${origin(config)} ${document({ data: course })}`;
}

const origin = ({ origins }: Config) => `-H 'Origin: ${origins[0]}'`;

const document = (body: object) =>
  `-H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/vnd.api+json' -d '${JSON.stringify(body)}'`;
