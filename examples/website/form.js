// Shows a form of the account, and sends the answers of a visitor. The ALTCHA widget proves that no program fills it in.

import {
  byId,
  create,
  element,
  formId,
  read,
  service,
  ServiceError,
  showError,
} from "./service.js";

const form = byId("form");
let shown;
let questions = [];

// -- Questions --------------------------------------------------------------------------------------------------------

const inputs = { email: "email", phone: "tel", number: "number", date: "date" };

const addressParts = {
  "street": "Street",
  "number": "Number",
  "postal-code": "Postal code",
  "city": "City",
  "state": "State",
};

/** The element of a question, and a function that reads its answer. An empty answer is undefined. */
function questionOf(field) {
  const { help, key, label, options = [], required, type } = field;
  if (type === "hidden")
    return { field, answer: () => new URLSearchParams(location.search).get(key) ?? undefined };
  if (type === "heading")
    return { field, row: element("div", [element("h2", label), help && element("p", help)]) };
  const isGroup = type === "multi-select" || type === "address";
  // A key can be any word, also one that means something to the page or to the form element.
  const id = `answer-${key}`;
  const problem = element("p", [], { id: `${id}-problem`, class: "problem" });
  const notes = [help && element("p", help, { id: `${id}-help` }), problem];
  const about = {
    id,
    "aria-describedby": help ? `${id}-help ${id}-problem` : `${id}-problem`,
  };
  const text = required || type === "boolean" ? label : `${label} (optional)`;
  const row = element(
    isGroup ? "fieldset" : "div",
    isGroup ? [element("legend", text), ...notes] : [],
    { ...(isGroup && about), class: "question" },
  );
  const labelled = (name, input) => row.append(element("label", [name, input]));
  const tick = (name, input) =>
    row.append(element("label", [input, element("span", name)], { class: "tick" }));
  const chosen = (input) => (input.value.trim() === "" ? undefined : input.value);

  switch (type) {
    case "boolean":
    case "consent": {
      const input = element("input", [], {
        ...about,
        type: "checkbox",
        required: required && type === "consent",
      });
      tick(text, input);
      row.append(...notes.filter(Boolean));
      return { field, row, problem, answer: () => input.checked };
    }
    case "multi-select": {
      for (const { label: name, value } of options)
        tick(name, element("input", [], { type: "checkbox", value }));
      const ticked = () => [...row.querySelectorAll(":checked")].map(({ value }) => value);
      return {
        field,
        row,
        problem,
        answer: () => (ticked().length === 0 ? undefined : ticked()),
      };
    }
    case "address": {
      for (const [part, name] of Object.entries(addressParts))
        labelled(name, element("input", [], { "data-part": part, "maxlength": 200 }));
      const parts = () =>
        [...row.querySelectorAll("input")]
          .filter(chosen)
          .map((input) => [input.dataset.part, input.value]);
      return {
        field,
        row,
        problem,
        answer: () => (parts().length === 0 ? undefined : Object.fromEntries(parts())),
      };
    }
    default: {
      const input = inputOf(field, about);
      labelled(text, input);
      row.append(...notes.filter(Boolean));
      const answer = () =>
        type === "number" && chosen(input) ? Number(input.value) : chosen(input);
      return { field, row, problem, answer };
    }
  }
}

function inputOf({ max, "max-length": maxlength, min, options, required, type }, about) {
  if (type === "select") {
    const choices = [{ value: "", label: "Please choose" }, ...options];
    return element(
      "select",
      choices.map(({ label, value }) => element("option", label, { value })),
      { ...about, required },
    );
  }
  if (type === "long-text")
    return element("textarea", [], { ...about, required, maxlength, rows: 5 });
  const step = type === "number" ? "any" : undefined;
  const kind = inputs[type] ?? "text";
  return element("input", [], { ...about, required, maxlength, max, min, step, type: kind });
}

/** Hides the questions that do not apply. A browser does not check or require a disabled input. */
function showQuestions() {
  for (const { field, row } of questions) {
    const condition = field["show-if"];
    if (!condition || !row) continue;
    const other = questions.find((one) => one.field.key === condition.field);
    const answer = other.row?.hidden ? undefined : other.answer();
    row.hidden = ![answer].flat().includes(condition.equals);
    for (const input of row.querySelectorAll("input, select, textarea"))
      input.disabled = row.hidden;
  }
}

// -- The form ---------------------------------------------------------------------------------------------------------

/** Reads the form, with a token and a challenge of its own. */
const readForm = async () =>
  (await read(`${service}/p/v1/forms/${formId()}`, { cache: "no-store" })).data;

async function showForm() {
  shown = await readForm();
  const { challenge, description, fields, name, "privacy-notice": notice } = shown.attributes;
  document.title = name;
  byId("name").textContent = name;
  byId("description").textContent = description ?? "";
  questions = fields.map(questionOf);
  byId("questions").replaceChildren(...questions.map(({ row }) => row).filter(Boolean));
  byId("privacy").hidden = !notice;
  if (notice) {
    byId("notice").textContent = notice;
    const consent = { key: "consent", type: "consent", label: "I agree", required: true };
    questions.push({ ...questionOf(consent), isConsent: true });
    byId("notice").after(questions.at(-1).row);
  }
  showQuestions();
  prove(challenge);
  form.hidden = false;
}

/** The widget works with a challenge of the service as it is. Without one, the form needs no proof. */
function prove(challenge) {
  if (!challenge) return byId("challenge").replaceChildren();
  const widget = element("altcha-widget", [], {
    challengejson: JSON.stringify(challenge),
    auto: "onload",
    name: "proof",
  });
  widget.addEventListener("statechange", ({ detail }) => {
    if (detail.state === "expired") proveAgain().catch(showError);
  });
  byId("challenge").replaceChildren(widget);
}

const proveAgain = async () => prove((await create("challenges")).data.attributes);

async function send() {
  const { "form-token": token, version } = shown.attributes;
  const asked = questions.filter(
    ({ answer, isConsent, row }) => answer && !isConsent && !row?.hidden,
  );
  const typed = new FormData(form);
  const { data } = await create("form-submissions", {
    attributes: {
      "form-version": version,
      "form-token": token,
      "answers": Object.fromEntries(asked.map(({ answer, field }) => [field.key, answer()])),
      "consent": questions.some(({ answer, isConsent }) => isConsent && answer()),
      "proof": typed.get("proof") ?? "",
      "website": typed.get("website"),
    },
    relationships: { form: { data: { type: "forms", id: shown.id } } },
  });
  const { "confirmation-message": message, "confirmation-sent": isMailed } = data.attributes;
  form.hidden = true;
  byId("receipt").textContent = [
    message ?? "Thank you. We received your answers.",
    isMailed && "We sent you a mail. Please confirm your address with its button.",
  ]
    .filter(Boolean)
    .join(" ");
}

/** The sentences for errors that are not about one answer. */
const remedies = {
  "form-token-used": () => "Your answers have already arrived.",
  "form-closed": () => "This form is closed.",
  "form-version-changed": () => "This form has changed. Please load the page again.",
  "form-token-invalid": async () => {
    shown.attributes["form-token"] = (await readForm()).attributes["form-token"];
    return "This page was open for a long time. Please send your answers again.";
  },
  "proof-invalid": async () => {
    await proveAgain();
    return "This page was open for a long time. Please send your answers again.";
  },
};

async function showProblems(error) {
  const remedy = remedies[error.errors?.[0]?.code];
  if (remedy) return showError(new ServiceError(await remedy()));
  const pointers = questions.map(({ field, isConsent }) =>
    isConsent ? "/data/attributes/consent" : `/data/attributes/answers/${field.key}`,
  );
  let first;
  for (const { detail, source } of error.errors ?? []) {
    const index = pointers.findIndex((one) => `${source?.pointer}/`.startsWith(`${one}/`));
    const { problem, row } = questions[index] ?? {};
    if (!problem) continue;
    problem.textContent = detail;
    const input = row.querySelector("input, select, textarea");
    input.setAttribute("aria-invalid", "true");
    first ??= input;
  }
  if (!first) return showError(error);
  showError(new ServiceError("Nothing was sent yet. Please correct the marked answers."));
  first.focus();
}

form.addEventListener("input", showQuestions);
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  byId("error").hidden = true;
  for (const { problem } of questions) if (problem) problem.textContent = "";
  for (const input of form.querySelectorAll("[aria-invalid]"))
    input.removeAttribute("aria-invalid");
  const button = form.querySelector("button");
  button.disabled = true;
  await send().catch(showProblems).catch(showError);
  button.disabled = false;
});

showForm().catch(showError);
