import assert from "node:assert/strict";
import { before, test } from "node:test";
import { formsFeature } from "../../../src/features/forms/feature.ts";
import { freshDatabase } from "../../support/database.ts";
import { makeForm, submissionsOf, submit } from "../../support/public-forms.ts";
import { testServices, until, workOn } from "../../support/queues.ts";
import { document, one, startService } from "../../support/service.ts";
import { BEHIND_PROXY, openPublicArea } from "../../support/visits.ts";

const database = await freshDatabase("its worker finds the senders of every account");
const service = await startService({ ...BEHIND_PROXY, database });
before(() => openPublicArea(service.db, service.account.id));

test("a job suggests the people who may have sent a submission", async (context) => {
  context.after(() => service.stop());
  const person = document("people", { "full-name": "Ana Lima", "email": "ana@church.example" });
  const { id } = one(await service.post("/v1/people", person));
  const formId = await makeForm(service);
  const answers = { "full-name": "Ana Lima", "email": "ana@church.example" };
  assert.equal((await submit(service, formId, { answers })).status, 201);
  assert.equal((await submissionsOf(service, formId))[0]?.attributes["match"], "none");
  const stop = workOn(context, database, formsFeature.queues ?? [], testServices());
  const submission = await until(async () =>
    (await submissionsOf(service, formId)).find(
      ({ attributes }) => attributes["match"] === "suggested",
    ),
  );
  await stop();
  const suggested = `/v1/form-submissions/${submission.id}/suggested-people`;
  assert.deepEqual(
    ((await service.get(suggested)).document.data as { id: string }[]).map((p) => p.id),
    [id],
  );
});
