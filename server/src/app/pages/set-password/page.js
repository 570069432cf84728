/**
 * The page that invitations and password resets link to. Its fragment is `#token=…&account=…&lang=…`. Browsers do not send
 * the fragment, so the token is in no request but the one that uses it.
 */

const texts = {
  "en": {
    title: "Choose a password",
    church: (name) => `Church: ${name}`,
    password: "New password",
    rule: "A sentence of several words is a good password.",
    show: "Show the password",
    submit: "Set the password",
    doneTitle: "Your password is set",
    done: "You can now log in with your e-mail address and this password.",
    noToken: "This link is incomplete. Open the link of the mail or message again.",
    "token-invalid":
      "This link no longer works. It works once and for a limited time. Ask for a new one.",
    "invalid-attribute": "This password cannot be used.",
    "min-length": (least) => `The password must have at least ${least} characters.`,
    "too-common":
      "This password is easy to guess: many people use it, or it contains your name, your address or your church.",
    "login-throttled": "Too many tries. Wait a moment and try again.",
    "rate-limited": "Too many tries. Wait a moment and try again.",
    "account-inactive": "This account is closed. Ask your church.",
    "client-token-missing": `This page works only at the service's own address, and ${location.origin} is not allowed. Tell the operator.`,
    failed: "The password could not be set. Try again later.",
    unreachable: "The service is unreachable. Check your connection and try again.",
  },
  "pt-BR": {
    title: "Escolha uma senha",
    church: (name) => `Igreja: ${name}`,
    password: "Nova senha",
    rule: "Uma frase com várias palavras é uma boa senha.",
    show: "Mostrar a senha",
    submit: "Definir a senha",
    doneTitle: "Sua senha foi definida",
    done: "Agora você pode entrar com seu e-mail e esta senha.",
    noToken: "Este link está incompleto. Abra de novo o link do e-mail ou da mensagem.",
    "token-invalid":
      "Este link não funciona mais. Ele funciona uma única vez e por tempo limitado. Peça um novo.",
    "invalid-attribute": "Esta senha não pode ser usada.",
    "min-length": (least) => `A senha precisa ter pelo menos ${least} caracteres.`,
    "too-common":
      "Esta senha é fácil de adivinhar: muitas pessoas a usam, ou ela contém seu nome, seu e-mail ou sua igreja.",
    "login-throttled": "Tentativas demais. Espere um momento e tente de novo.",
    "rate-limited": "Tentativas demais. Espere um momento e tente de novo.",
    "account-inactive": "Esta conta está fechada. Fale com sua igreja.",
    "client-token-missing": `Esta página só funciona no endereço do próprio serviço, e ${location.origin} não é permitido. Avise o operador.`,
    failed: "Não foi possível definir a senha. Tente de novo mais tarde.",
    unreachable: "O serviço não responde. Verifique sua conexão e tente de novo.",
  },
  "es": {
    title: "Elija una contraseña",
    church: (name) => `Iglesia: ${name}`,
    password: "Nueva contraseña",
    rule: "Una frase de varias palabras es una buena contraseña.",
    show: "Mostrar la contraseña",
    submit: "Guardar la contraseña",
    doneTitle: "Su contraseña está guardada",
    done: "Ya puede entrar con su correo electrónico y esta contraseña.",
    noToken: "Este enlace está incompleto. Abra de nuevo el enlace del correo o del mensaje.",
    "token-invalid":
      "Este enlace ya no funciona. Funciona una sola vez y por tiempo limitado. Pida uno nuevo.",
    "invalid-attribute": "Esta contraseña no se puede usar.",
    "min-length": (least) => `La contraseña debe tener al menos ${least} caracteres.`,
    "too-common":
      "Esta contraseña es fácil de adivinar: muchas personas la usan, o contiene su nombre, su correo o su iglesia.",
    "login-throttled": "Demasiados intentos. Espere un momento e intente de nuevo.",
    "rate-limited": "Demasiados intentos. Espere un momento e intente de nuevo.",
    "account-inactive": "Esta cuenta está cerrada. Hable con su iglesia.",
    "client-token-missing": `Esta página solo funciona en la dirección del propio servicio, y ${location.origin} no está permitido. Avise al operador.`,
    failed: "No se pudo guardar la contraseña. Intente de nuevo más tarde.",
    unreachable: "El servicio no responde. Revise su conexión e intente de nuevo.",
  },
};

const link = new URLSearchParams(location.hash.slice(1));
const token = link.get("token");

/** The languages of the browser, then that of the mail. */
const language =
  [...navigator.languages, link.get("lang") ?? ""]
    .map((tag) => tag.split("-")[0])
    .map((primary) => Object.keys(texts).find((one) => one.split("-")[0] === primary))
    .find(Boolean) ?? "en";
const words = texts[language];

const element = (id) => document.getElementById(id);
const form = element("form");
const password = element("password");
const message = element("message");
const submit = element("submit");

function say(text, isProblem = false) {
  message.textContent = text;
  message.classList.toggle("problem", isProblem);
  password.setAttribute("aria-invalid", String(isProblem));
}

function entitle(text) {
  element("title").textContent = text;
  document.title = text;
}

document.documentElement.lang = language;
entitle(words.title);
element("label").textContent = words.password;
element("rule").textContent = words.rule;
element("show-label").textContent = words.show;
submit.textContent = words.submit;

if (token) {
  form.hidden = false;
  void nameChurch();
} else say(words.noToken, true);

element("show").addEventListener("change", ({ target }) => {
  password.type = target.checked ? "text" : "password";
});

/** Only the service knows the church. A link could name any. */
async function nameChurch() {
  const answer = await fetch("session/password-link", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ token }),
  }).catch(() => undefined);
  if (!answer?.ok) return;
  const { account } = await answer.json();
  element("intro").textContent = words.church(account.name);
  element("intro").hidden = false;
}

/** Returns the words for the error, or undefined if the password was set. */
async function setPassword() {
  const answer = await fetch("v1/password-reset-confirmations", {
    method: "POST",
    headers: { "Content-Type": "application/vnd.api+json" },
    body: JSON.stringify({
      data: {
        type: "password-reset-confirmations",
        attributes: { token, "new-password": password.value },
      },
    }),
  }).catch(() => undefined);
  if (!answer) return words.unreachable;
  if (answer.ok) return undefined;
  const { errors } = await answer.json().catch(() => ({}));
  const { code, meta } = errors?.[0] ?? {};
  const said = words[meta?.rule] ?? words[code] ?? words.failed;
  return typeof said === "function" ? said(meta.limit) : said;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void (async () => {
    submit.disabled = true;
    say("");
    const problem = await setPassword();
    submit.disabled = false;
    if (problem !== undefined) {
      say(problem, true);
      password.focus();
      return;
    }
    form.hidden = true;
    form.reset();
    entitle(words.doneTitle);
    say(words.done);
    // The token is used. It need not stay in the history of the browser.
    history.replaceState(null, "", location.pathname);
  })();
});
