import type { Config } from "../app/config.ts";
import type { Demo } from "../app/demo.ts";
import { localUrl, type Service } from "../app/service.ts";

/** What a start says to people: where the service is, and how to get in. */
export function welcome(config: Config, service: Service): string[] {
  const seconds = (service.milliseconds / 1_000).toFixed(1);
  if (service.url === undefined)
    return [`Vestry works, with no address of its own (ready in ${seconds} s). Ctrl-C stops it.`];
  const here = localUrl(config.host, config.port);
  return [
    "",
    `Vestry is ready at ${service.url} (in ${seconds} s). Ctrl-C stops it.`,
    "",
    `  Reference   ${service.url}/docs`,
    ...(service.url === here ? [] : [`  Listens on  ${here}`]),
    ...(service.metricsUrl === undefined ? [] : [`  Metrics     ${service.metricsUrl}`]),
    "",
    ...(service.demo ? firstStart(service.demo, here) : laterStart()),
    "",
  ];
}

function firstStart(demo: Demo, here: string): string[] {
  const width = Math.max(...demo.logins.map(({ email }) => email.length)) + 2;
  return [
    `This database was empty, so it has a demo church now: ${demo.churchName}, account ${demo.alias}.`,
    "Its passwords and client token were made for this installation and are shown only now:",
    "",
    ...demo.logins.map(
      ({ email, password, standing }) => `  ${email.padEnd(width)}${password}  (${standing})`,
    ),
    `  ${"X-SVC-API-Token".padEnd(width)}${demo.integration.clientToken}`,
    "",
    "Log in, list people, add a course: paste these into another terminal.",
    "",
    ...curlLines(demo, here),
  ];
}

/** What comes after the pipe of a curl line that logs in. */
export const accessTokenIn = `sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/'`;

/**
 * As an integration calls: with its client token and a person's access token. Each is one line, for sh, bash and zsh,
 * and needs nothing but curl and sed.
 */
export function curlLines(demo: Demo, here: string): string[] {
  const [administrator] = demo.logins;
  const login = JSON.stringify({
    username: administrator?.email,
    password: administrator?.password,
    account: demo.alias,
  });
  const course = JSON.stringify({
    data: {
      type: "courses",
      attributes: { "name": "Reading the Gospels", "lessons-to-graduate": 8 },
    },
  });
  const client = `-H 'X-SVC-API-Token: ${demo.integration.clientToken}'`;
  const bearer = `-H "Authorization: Bearer $TOKEN"`;
  return [
    `TOKEN=$(curl -sS ${here}/authenticate ${client} -H 'Content-Type: application/json' -d '${login}' | ${accessTokenIn})`,
    `curl -sSg -w '\\n' '${here}/v1/people?page[size]=3&sort=full-name' ${client} ${bearer}`,
    `curl -sS -w '\\n' ${here}/v1/courses ${client} ${bearer} -H 'Content-Type: application/vnd.api+json' -d '${course}'`,
  ];
}

function laterStart(): string[] {
  return [
    "Passwords and client tokens are shown only once. To get in:",
    "",
    "  npx vestry accounts list                       which churches there are",
    "  npx vestry accounts create --help              another one",
    "  npx vestry people set-password --alias <alias> --email <address> --password-stdin",
    "  npx vestry integrations list                   ids; rotate --id <id> makes a new client token",
  ];
}
