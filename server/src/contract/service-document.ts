import type { WholeCatalogue } from "../jsonapi/definition/whole-catalogue.ts";
import { version } from "../base/version.ts";
import { changesParameters, changesPaths, changesSchemas, changesTag } from "./changes-paths.ts";
import { codesOf, codesText, commonCodes } from "./error-codes.ts";
import {
  eventTypeParameters,
  eventTypePaths,
  eventTypeSchemas,
  eventTypeTag,
} from "./event-type-paths.ts";
import { downloadPath, filesTag } from "./download-path.ts";
import { importFilePaths } from "./import-file-path.ts";
import { openApiDocument } from "./openapi.ts";
import { sessionPaths, sessionSchemas } from "./session-paths.ts";
import { visitorPaths, visitorSchemas } from "./public-paths.ts";
import { servicePaths, serviceSchemas, serviceTags } from "./service-paths.ts";
import {
  messageCallbacks,
  messageParameters,
  messageSchemas,
  messageTag,
  messageWebhooks,
} from "./webhook-messages.ts";

const description = `Vestry manages the data of congregations: people and households, cells and their meetings, courses and their classes, and the account itself, as [JSON:API 1.1](https://jsonapi.org/format/).

**Authentication.** Every request carries \`Authorization: Bearer <ACCESS_TOKEN>\`. \`POST /authenticate\` issues the token for a person's e-mail address, password and account. Pages of a first-party origin need nothing else: the service's own pages, and those of the origins that the operator lists. The service's own pages can log in with a cookie instead (\`POST /session\`). Every other client also sends the \`X-SVC-API-Token\` of an integration. The operator approves the account for integrations and allows the integration for it. A token has the permissions that its person has at the time of the request. The public area under \`/p/v1\` takes no token of a person: its requests name the account with \`Authorization: Account <ACCOUNT_ID>\`.

**Errors** are JSON:API error documents. Branch on \`code\`, which is stable. One response reports everything that is wrong with a request. If the errors have different statuses, the response has status 400. Each operation lists its error codes. These common codes can occur as well:

- People, courses, cells, roles and accounts: ${codesText(commonCodes("data"))}
- Webhook management: ${codesText(commonCodes("webhook-management"))}
- The public area: ${codesText(commonCodes("public"))}

**Linkage.** Routes with \`/relationships/\` read and change which resources are linked to a resource. \`PATCH\` replaces the links, \`POST\` adds links and \`DELETE\` removes links. Their error codes are these:

- \`GET\`: ${codesText(codesOf("Linkage"))}
- \`PATCH\`, \`POST\` and \`DELETE\`: ${codesText(codesOf("LinkageChange"))}

**Headers.** Every response carries \`X-Request-Id\`. Responses other than those of the health checks carry \`RateLimit-Policy\` and \`RateLimit\`.

**Lists** accept \`filter[…]\`, \`sort\`, and \`page[number]\` with \`page[size]\`, or \`page[after]\`. Every read accepts \`include\` and \`fields[…]\`. No attribute and no relationship of a response is required in the schemas, because \`fields\` leaves out those that it does not name.

**Changes.** Send \`If-Match\` with the ETag from the last read to detect concurrent changes. Send an \`Idempotency-Key\` with a POST or PATCH to repeat it safely.`;

/** The OpenAPI document of the whole service. */
export const serviceDocument = (catalogue: WholeCatalogue) =>
  openApiDocument(
    catalogue,
    {
      title: "Vestry",
      version,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      description,
    },
    {
      tags: [...serviceTags, eventTypeTag, changesTag, messageTag, filesTag],
      paths: {
        ...servicePaths,
        ...sessionPaths,
        ...importFilePaths,
        ...downloadPath,
        ...changesPaths,
        ...eventTypePaths(catalogue.declared),
        ...visitorPaths,
      },
      webhooks: messageWebhooks(catalogue),
      callbacks: { "/v1/webhook-endpoints": messageCallbacks },
      parameters: { ...changesParameters(catalogue), ...eventTypeParameters, ...messageParameters },
      schemas: (schemas) => ({
        ...serviceSchemas,
        ...sessionSchemas,
        ...changesSchemas,
        ...eventTypeSchemas,
        ...visitorSchemas,
        ...messageSchemas(schemas, catalogue),
      }),
    },
  );
