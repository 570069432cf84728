import type { Config } from "../app/config.ts";
import type { Demo } from "../app/demo.ts";
import { localUrl, type Service } from "../app/service.ts";

/** The lines printed after a start: the addresses, and how to log in. */
export function welcome(config: Config, service: Service): string[] {
  const seconds = (service.milliseconds / 1_000).toFixed(1);
  if (service.url === undefined)
    return [`The Vestry worker is ready (in ${seconds} s). Ctrl-C stops it.`];
  const here = localUrl(config.host, config.port);
  return [
    "",
    `Vestry is ready at ${service.url} (in ${seconds} s). Ctrl-C stops it.`,
    "",
    ...(service.hasWebApp ? [`  Web app     ${service.url}`] : []),
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
    `The database was empty, so this start created a demo account: ${demo.churchName}, alias ${demo.alias}.`,
    "Its passwords and its client token are unique to this installation and are shown only once:",
    "",
    ...demo.logins.map(
      ({ email, password, standing }) => `  ${email.padEnd(width)}${password}  (${standing})`,
    ),
    `  ${"X-SVC-API-Token".padEnd(width)}${demo.integration.clientToken}`,
    "",
    "To log in, list people and add a course, paste these lines into another terminal:",
    "",
    ...curlLines(demo, here),
  ];
}

/**
 * The end of a curl line that logs in. It prints the access token. When the log-in fails, it writes the answer to
 * standard error and prints nothing.
 */
export const extractToken = `sed -n -e 's/.*"access_token":"\\([^"]*\\)".*/\\1/p' -e t -e 'w /dev/stderr'`;

/** Calls like those of an integration. Each line works in sh, bash and zsh and needs only curl and sed. */
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
    `TOKEN=$(curl -sS ${here}/authenticate ${client} -H 'Content-Type: application/json' -d '${login}' | ${extractToken})`,
    `curl -sSg -w '\\n' '${here}/v1/people?page[size]=3&sort=full-name' ${client} ${bearer}`,
    `curl -sS -w '\\n' ${here}/v1/courses ${client} ${bearer} -H 'Content-Type: application/vnd.api+json' -d '${course}'`,
  ];
}

function laterStart(): string[] {
  return [
    "Passwords and client tokens are shown only once. For access, run in this clone:",
    "",
    "  npx vestry accounts list                       lists the accounts",
    "  npx vestry accounts create --help              creates another account",
    "  npx vestry people set-password --alias <alias> --email <address> --password-stdin",
    "  npx vestry integrations rotate --id <id>       prints a new client token (integrations list prints ids)",
  ];
}
