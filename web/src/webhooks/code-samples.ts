/** How a receiver verifies a message, by language. `docs/webhooks/receivers.md` has complete receivers. */
export const codeSamples = {
  node: {
    label: "Node",
    code: `// npm install standardwebhooks
import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
// body is the raw text of the request, before any parser has read it.
const { data } = webhook.verify(body, headers);
const { challenge } = data.attributes;
if (challenge) respond(200, { meta: { challenge } });
else respond(204);`,
  },
  python: {
    label: "Python",
    code: `# pip install standardwebhooks
import os
from standardwebhooks import Webhook

webhook = Webhook(os.environ["WEBHOOK_SECRET"])
# body is the raw request, before any parser has read it.
message = webhook.verify(body, headers)
challenge = message["data"]["attributes"].get("challenge")
if challenge:
    respond(200, {"meta": {"challenge": challenge}})
else:
    respond(204)`,
  },
  go: {
    label: "Go",
    code: `// go get github.com/standard-webhooks/standard-webhooks/libraries
webhook, err := standardwebhooks.NewWebhook(os.Getenv("WEBHOOK_SECRET"))
if err != nil {
	log.Fatal(err)
}
// body has the raw bytes of the request.
if err := webhook.Verify(body, r.Header); err != nil {
	w.WriteHeader(http.StatusUnauthorized)
	return
}
// With data.attributes.challenge, respond with {"meta": {"challenge": …}}.`,
  },
  php: {
    label: "PHP",
    code: `// composer require standard-webhooks/standard-webhooks
$webhook = new StandardWebhooks\\Webhook(getenv('WEBHOOK_SECRET'));
$headers = array_change_key_case(getallheaders(), CASE_LOWER);
$message = $webhook->verify(file_get_contents('php://input'), $headers);
$challenge = $message['data']['attributes']['challenge'] ?? null;
if ($challenge !== null) {
    echo json_encode(['meta' => ['challenge' => $challenge]]);
}`,
  },
  ruby: {
    label: "Ruby",
    code: `# gem install standardwebhooks
webhook = StandardWebhooks::Webhook.new(ENV.fetch("WEBHOOK_SECRET"))
# body is the raw request. In Rails it is request.raw_post.
message = webhook.verify(body, headers)
challenge = message.dig("data", "attributes", "challenge")
challenge ? respond(200, { meta: { challenge: challenge } }) : respond(204)`,
  },
  rust: {
    label: "Rust",
    code: `// cargo add standardwebhooks
let webhook = standardwebhooks::Webhook::new(&std::env::var("WEBHOOK_SECRET")?)?;
// body has the raw bytes of the request.
webhook.verify(&body, &headers)?;
let message: serde_json::Value = serde_json::from_slice(&body)?;
let challenge = &message["data"]["attributes"]["challenge"];
// With a challenge, respond with {"meta": {"challenge": …}}.`,
  },
} as const;

export type SampleLanguage = keyof typeof codeSamples;
