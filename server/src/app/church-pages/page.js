// The pages work without this script. It finds groups near the visitor, hides questions that do not apply, and does the work
// that proves that no program fills in a form.

const form = document.getElementById("search");
const button = document.getElementById("near-me");

if (form && button && navigator.geolocation) {
  button.hidden = false;
  button.addEventListener("click", () => {
    button.disabled = true;
    navigator.geolocation.getCurrentPosition(searchNear, () => {
      button.disabled = false;
      document.getElementById("near-me-status").textContent = button.dataset.failed;
    });
  });
  // A search has no parameters for what the visitor left open.
  form.addEventListener("formdata", ({ formData }) => {
    const open = [...formData].filter(([, value]) => value === "");
    for (const [name] of open) formData.delete(name);
  });
}

function searchNear({ coords }) {
  const { km, lat, lng } = form.elements;
  // About a kilometer. The service need not know more.
  lat.value = coords.latitude.toFixed(2);
  lng.value = coords.longitude.toFixed(2);
  km.value ||= "10";
  form.requestSubmit();
}

const entry = document.querySelector("form.entry");

if (entry) {
  const conditional = [...entry.querySelectorAll("[data-if]")];
  const show = () => conditional.forEach(showIfNeeded);
  entry.addEventListener("input", show);
  // A browser can restore what was typed after this script ran.
  addEventListener("pageshow", show);
  show();
  // Crypto is missing over plain HTTP. The church then checks what it receives.
  if (entry.dataset.challenge && globalThis.crypto?.subtle) proveWork(entry);
}

function showIfNeeded(question) {
  const { equals, if: name, required } = question.dataset;
  const applies = answersTo(name).includes(JSON.parse(equals));
  question.hidden = !applies;
  question.querySelector('[id$=":condition"]')?.remove();
  for (const input of question.querySelectorAll("input, select, textarea")) {
    input.disabled = !applies;
    if (required !== undefined && input.id === input.name && !isChoice(input))
      input.required = true;
  }
}

/** A tick is required of a consent alone, which the service checks. */
function isChoice({ type }) {
  return type === "checkbox";
}

/** The answers to a question that applies. */
function answersTo(name) {
  const inputs = [...entry.querySelectorAll("[name]")].filter((input) => input.name === name);
  return inputs.flatMap((input) => {
    if (input.disabled) return [];
    // Boxes of a list have the value of their option, and a single box has yes or no.
    if (isChoice(input) && inputs.length === 1 && input.value === "true") return [input.checked];
    if (isChoice(input)) return input.checked ? [input.value] : [];
    return [input.type === "number" && input.value !== "" ? Number(input.value) : input.value];
  });
}

function proveWork(form) {
  const challenge = JSON.parse(form.dataset.challenge);
  let solving;
  let isSending = false;
  const solve = () => (solving ??= solutionOf(challenge));
  form.addEventListener("focusin", solve, { once: true });
  form.addEventListener("submit", async (event) => {
    const { proof } = form.elements;
    if (proof.value) return;
    event.preventDefault();
    if (isSending) return;
    isSending = true;
    form.querySelector("[role=status]").textContent = form.dataset.sending;
    proof.value = await solve();
    form.submit();
  });
}

const AT_ONCE = 500;

/** Looks for the number in small steps, so that the page stays responsive. */
async function solutionOf({ algorithm, challenge, maxnumber, salt, signature }) {
  const encoder = new TextEncoder();
  const wanted = challenge.match(/../g).map((byte) => Number.parseInt(byte, 16));
  for (let first = 0; first <= maxnumber; first += AT_ONCE) {
    const texts = Array.from({ length: AT_ONCE }, (_, index) => `${salt}${first + index}`);
    const hashes = await Promise.all(
      texts.map((text) => crypto.subtle.digest(algorithm, encoder.encode(text))),
    );
    const found = hashes.findIndex((hash) =>
      new Uint8Array(hash).every((byte, index) => byte === wanted[index]),
    );
    if (found >= 0)
      return btoa(JSON.stringify({ algorithm, challenge, number: first + found, salt, signature }));
    await new Promise((resolve) => setTimeout(resolve));
  }
  return "";
}
