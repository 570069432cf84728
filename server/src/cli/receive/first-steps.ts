import type { Config } from "../../app/config.ts";
import { demoAlias } from "../../app/demo.ts";
import { administratorEmail } from "../../app/demo/people.ts";
import type { EventType } from "../../events/event-types.ts";
import { localUrl } from "../../app/service.ts";
import { accessTokenIn } from "../welcome.ts";
import type { OwnCertificate } from "./own-certificate.ts";

const events = [
  "person.created",
  "person.updated",
  "person.merged",
  "course.created",
  "course.updated",
] as const satisfies readonly EventType[];

/** All there is to do until the first message comes. */
export function firstSteps(config: Config, { authorityFile }: OwnCertificate, url: string) {
  return [
    "",
    `Receiving at ${url} and below. Ctrl-C stops it.`,
    "",
    "1. Once: let the service send here. Put these two into its .env, and start it; again, if it runs. Started without the",
    "   first, it pauses this endpoint as soon as it has something to send.",
    "",
    "WEBHOOK_ALLOW_NETWORKS=127.0.0.0/8",
    `WEBHOOK_CA_FILE=${authorityFile}`,
    "",
    "2. In another terminal, with the password of a full administrator in the first line, log in and register this",
    "   receiver. It is verified at once.",
    "",
    `   These lines call ${localUrl(config.host, config.port)}, as PORT of .env says, or of this terminal. Where the service was started`,
    "   with another, start this with the same one: PORT=<port> npx vestry receive",
    "",
    ...registering(config, url),
    "",
    "3. Paste the secret of that answer (whsec_…) here and press Enter. It is not shown; from then on signatures are",
    "   checked.",
    "",
    "4. Make something happen.",
    "",
    addingACourse(config),
    "",
  ];
}

/** As the own web application calls: at this machine the person is at the keyboard. */
function registering(config: Config, url: string): string[] {
  const here = localUrl(config.host, config.port);
  const login = { username: administratorEmail, password: "<password>", account: demoAlias };
  const endpoint = {
    type: "webhook-endpoints",
    attributes: { name: "vestry receive", url, events },
  };
  return [
    `LOGIN='${JSON.stringify(login)}'`,
    `TOKEN=$(curl -sS ${here}/authenticate ${origin(config)} -H 'Content-Type: application/json' -d "$LOGIN" | ${accessTokenIn})`,
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
