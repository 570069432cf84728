/** The bar at the top of the reference. It logs a reader in and adds the access token to the requests they try. */

const logIn = document.querySelector("#log-in");
const logOut = document.querySelector("#log-out");
const who = document.querySelector("#who");
const message = document.querySelector("#message");

/** The log-in lasts as long as the tab, and it survives a reload. It is never in a cookie. */
const SESSION = "vestry-session";
let session = JSON.parse(sessionStorage.getItem(SESSION) ?? "null");

const openApi = await fetch("/openapi.json").then((answer) => answer.json());

// Scalar adds optional parameters without values to its samples. It leaves out disabled ones, and a reader can enable them.
const off = { value: "", "x-disabled": true };
for (const parameter of Object.values(openApi.components.parameters))
  if (!parameter.required) parameter.examples = { default: off };

// Scalar uses the alternative without security, but a sample in a terminal needs the client token.
for (const path of Object.values(openApi.paths))
  for (const operation of Object.values(path))
    if (operation.security?.length > 1)
      operation.security = operation.security.filter((one) => Object.keys(one).length > 0);

/** Everything that calls another host is off. The page's policy would block it and leave it broken. */
const configuration = () => ({
  content: openApi,
  authentication: {
    securitySchemes: {
      accessToken: { token: session?.token ?? "" },
      // This page needs none. A sample that runs in a terminal does.
      clientToken: { value: session?.client ?? "" },
    },
  },
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: "never",
  hideClientButton: true,
  persistAuth: false,
  mcp: { disabled: true },
  agent: { disabled: true },
  // Scalar would offer the document with the changes above.
  documentDownloadType: "none",
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
});

const reference = globalThis.Scalar.createApiReference("#reference", configuration());

function show() {
  logIn.hidden = session !== null;
  logOut.hidden = session === null;
  who.textContent = session === null ? "" : `${session.username}, ${session.account}`;
}

/** Also moves the keyboard focus from the form that disappears to the one that replaces it. */
function change(next) {
  session = next;
  if (next === null) sessionStorage.removeItem(SESSION);
  else sessionStorage.setItem(SESSION, JSON.stringify(next));
  show();
  reference.updateConfiguration(configuration());
  (next === null ? logIn.elements.account : logOut.querySelector("button")).focus();
}

async function problemOf(answer) {
  const { errors } = await answer.json().catch(() => ({}));
  const [problem] = errors ?? [];
  if (problem?.code === "client-token-missing")
    return `This page can log in only at PUBLIC_URL or one of ORIGINS, and ${location.origin} is neither.`;
  return problem?.detail ?? `The service returned ${answer.status}.`;
}

async function startSession() {
  const { client, ...form } = Object.fromEntries(new FormData(logIn));
  message.textContent = "";
  const answer = await fetch("/authenticate", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(form),
  }).catch(() => undefined);
  if (!answer?.ok) {
    message.textContent = answer ? await problemOf(answer) : "The service is unreachable.";
    return;
  }
  const { access_token, account } = await answer.json();
  logIn.reset();
  change({
    token: access_token,
    client,
    username: form.username,
    account: account["church-name"],
  });
}

async function endSession() {
  const { token } = session;
  change(null);
  // If this request fails, the page has discarded the token all the same.
  await fetch("/v1/access-tokens/current", {
    method: "DELETE",
    headers: { Authorization: `Bearer ${token}` },
  }).catch(() => undefined);
}

const onSubmit = (form, act) =>
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void act();
  });

show();
onSubmit(logIn, startSession);
onSubmit(logOut, endSession);
