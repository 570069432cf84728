// A receiver of Vestry's webhooks in one file: it verifies, keeps, answers, and works afterwards. README.md, beside
// it, says how to start it; docs/webhooks.md says why it does what it does.
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:https";
import { DatabaseSync } from "node:sqlite";
import { Webhook, WebhookVerificationError } from "standardwebhooks";

const { CERTIFICATE_FILE, KEY_FILE, SECRETS_FILE, INBOX_FILE, HOST, PORT } = process.env;

const missing = Object.entries({ CERTIFICATE_FILE, KEY_FILE, SECRETS_FILE, INBOX_FILE })
  .filter(([, value]) => !value)
  .map(([name]) => name);
if (missing.length > 0) {
  console.error(`Set ${missing.join(", ")} first: README.md, beside this file, says to what.`);
  process.exit(1);
}

/** Messages stay well below. */
const BODY_BYTES_MAX = 128 * 1024;

// -- Verify --------------------------------------------------------------------------------------------------------

/** Read for each message, so that a new secret is a line more in a file, and no restart. */
function secrets() {
  const text = existsSync(SECRETS_FILE) ? readFileSync(SECRETS_FILE, "utf8") : "";
  return text.split(/\s+/).filter(Boolean);
}

/** The bytes as they came, before anything has read them. While a rotation overlaps there are two secrets. */
function isSigned(body, headers, knownSecrets) {
  return knownSecrets.some((secret) => {
    try {
      new Webhook(secret).verify(body, headers, { jsonParse: false });
      return true;
    } catch (error) {
      if (error instanceof WebhookVerificationError) return false;
      throw error;
    }
  });
}

// -- Keep ----------------------------------------------------------------------------------------------------------

// On disk before it is answered: what was answered with 2xx is not sent again. The id is the key: what comes twice is
// kept once. Ids are forgotten when nothing can bring them back.
const inbox = new DatabaseSync(INBOX_FILE);
inbox.exec(`
  create table if not exists messages (
    id text primary key, body text, state text not null, received_at integer not null) strict;
  update messages set state = 'waiting' where state = 'failed';
  delete from messages where received_at < unixepoch() - 31 * 86400`);
const keep = inbox.prepare(
  "insert into messages values (?, ?, 'waiting', unixepoch()) on conflict do nothing",
);
const next = inbox.prepare(
  "select id, body from messages where state = 'waiting' order by rowid limit 1",
);
const settle = inbox.prepare("update messages set state = ?, body = ? where id = ?");

// -- Answer --------------------------------------------------------------------------------------------------------

function answerTo(headers, body) {
  const known = secrets();
  // A verification comes as soon as the endpoint is made, and the secret may not be here yet: 503 asks for it again.
  if (known.length === 0) return { status: 503 };
  if (!isSigned(body, headers, known)) return { status: 401 };

  const { challenge } = JSON.parse(body).data.attributes;
  if (challenge !== undefined) return { status: 200, json: { meta: { challenge } } };
  keep.run(headers["webhook-id"], body.toString());
  return { status: 204 };
}

async function receive(request, response) {
  if (request.method !== "POST") return response.writeHead(405, { Allow: "POST" }).end();
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) return response.writeHead(413, { Connection: "close" }).end();
    chunks.push(chunk);
  }
  const { status, json } = answerTo(request.headers, Buffer.concat(chunks));
  response.writeHead(status, json && { "Content-Type": "application/json" });
  response.end(json && JSON.stringify(json));
  void work();
}

// -- Work ----------------------------------------------------------------------------------------------------------

/**
 * Yours. It may see an event again if the process ended before it was settled, and an older event after a newer one:
 * compare `occurred-at`, or read the subject from the API.
 */
async function handle({ data: { attributes, relationships } }) {
  const { "control-type": control, "event-type": event, "occurred-at": at } = attributes;
  if (control !== undefined) console.log(control, attributes.message);
  else console.log(event, relationships.subject.data.id, at);
}

let working = false;

async function work() {
  if (working) return;
  working = true;
  for (let message = next.get(); message; message = next.get()) {
    const { id, body } = message;
    try {
      await handle(JSON.parse(body));
      // The id stays, to be recognised by. The people in the body need not.
      settle.run("done", null, id);
    } catch (error) {
      // Tried again at the next start. Yours may want a schedule, and somebody who is told.
      console.error(`${id} failed:`, error);
      settle.run("failed", body, id);
    }
  }
  working = false;
}

// -- Start ---------------------------------------------------------------------------------------------------------

const identity = { cert: readFileSync(CERTIFICATE_FILE), key: readFileSync(KEY_FILE) };
const server = createServer(identity, (request, response) => {
  receive(request, response).catch((error) => {
    console.error(error);
    // Not the message's fault, so it is sent again.
    if (response.headersSent) response.destroy();
    else response.writeHead(500).end();
  });
});
server.listen({ host: HOST, port: Number(PORT ?? 8443) }, () => {
  console.log(`Receiving at port ${server.address().port}.`);
  void work();
});
