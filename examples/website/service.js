// Calls the public area of the service, and makes elements. Every text from the service becomes a text node, never HTML.

const setting = (name) => document.querySelector(`meta[name="vestry-${name}"]`).content;
export const service = setting("service").replace(/\/$/, "");
export const formId = () => setting("form");
export const language = document.documentElement.lang;
const media = "application/vnd.api+json";

/** A failure that visitors can read, with the errors of the service. */
export class ServiceError extends Error {
  constructor(message, errors = []) {
    super(message);
    this.errors = errors;
  }
}

export async function read(url, options) {
  const headers = { Accept: media, Authorization: `Account ${setting("account")}` };
  if (options?.body) headers["Content-Type"] = media;
  const response = await fetch(url, { ...options, headers }).catch((error) => {
    if (options?.signal?.aborted) throw error;
    throw new ServiceError("The service cannot be reached. Please try again later.");
  });
  const later = response.headers.get("Retry-After");
  if (response.status === 429)
    throw new ServiceError(`There are many visitors. Please try again in ${later} seconds.`);
  if (response.status === 503)
    throw new ServiceError("The service is busy. Please try again in a minute.");
  const document = await response.json();
  if (!response.ok) throw new ServiceError(document.errors[0].detail, document.errors);
  return document;
}

export const create = (type, members = {}) =>
  read(`${service}/p/v1/${type}`, {
    method: "POST",
    body: JSON.stringify({ data: { type, ...members } }),
  });

export const byId = (id) => document.getElementById(id);

export function element(name, content = [], attributes = {}) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined && value !== null && value !== false)
      made.setAttribute(key, value === true ? "" : value);
  made.append(...[content].flat().filter(Boolean));
  return made;
}

export function showError(error) {
  byId("error").textContent =
    error instanceof ServiceError ? error.message : "The page cannot show this at the moment.";
  byId("error").hidden = false;
  if (!(error instanceof ServiceError)) console.error(error);
}
