/** The bar on top of the reference: logs a reader in and hands their access token to every request they try. */

const logIn = document.querySelector("#log-in");
const logOut = document.querySelector("#log-out");
const who = document.querySelector("#who");
const said = document.querySelector("#said");

/** Kept in this page alone: it is gone with the tab, and ended when the reader logs out. */
let token;

const openApi = await fetch("/openapi.json").then((answer) => answer.json());

// Scalar writes optional parameters into its sample calls, without values. It leaves out those that are switched off,
// and a reader can switch them on.
const off = { value: "", "x-disabled": true };
for (const parameter of Object.values(openApi.components.parameters))
  if (!parameter.required) parameter.examples = { default: off };

// It leaves out what a first-party page may leave out as well, but a sample is pasted into a terminal.
for (const path of Object.values(openApi.paths))
  for (const operation of Object.values(path))
    if (operation.security?.length > 1)
      operation.security = operation.security.filter((one) => Object.keys(one).length > 0);

/** Whatever would call somebody else is off. The page's policy would stop it, but then it would stand there broken. */
const configuration = () => ({
  content: openApi,
  authentication: {
    securitySchemes: { accessToken: { token: token ?? "" } },
  },
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: "never",
  hideClientButton: true,
  persistAuth: false,
  mcp: { disabled: true },
  agent: { disabled: true },
  // The one Scalar would offer has the switches above in it.
  documentDownloadType: "none",
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
});

const reference = globalThis.Scalar.createApiReference("#reference", configuration());

function show(account) {
  logIn.hidden = account !== undefined;
  logOut.hidden = account === undefined;
  who.textContent = account === undefined ? "" : account["church-name"];
  reference.updateConfiguration(configuration());
}

async function problemOf(answer) {
  const { errors } = await answer.json().catch(() => ({}));
  const [problem] = errors ?? [];
  if (problem?.code === "client-token-missing")
    return `This page logs in only at an address that the service calls its own (PUBLIC_URL or ORIGINS), and ${location.origin} is none.`;
  return problem?.detail ?? `The service answered ${answer.status}.`;
}

async function startSession() {
  said.textContent = "";
  const answer = await fetch("/authenticate", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(Object.fromEntries(new FormData(logIn))),
  }).catch(() => undefined);
  if (!answer?.ok) {
    said.textContent = answer ? await problemOf(answer) : "The service cannot be reached.";
    return;
  }
  const { access_token, account } = await answer.json();
  token = access_token;
  logIn.reset();
  show(account);
}

async function endSession() {
  const ended = token;
  token = undefined;
  show(undefined);
  // The token ends for the service as well; if it cannot be told, the page has forgotten it all the same.
  await fetch("/v1/access-tokens/current", {
    method: "DELETE",
    headers: { Authorization: `Bearer ${ended}` },
  }).catch(() => undefined);
}

const onSubmit = (form, act) =>
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void act();
  });

onSubmit(logIn, startSession);
onSubmit(logOut, endSession);
