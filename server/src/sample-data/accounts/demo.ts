import type { DemoAccount } from "../demo-account.ts";
import { json } from "../../store/sql.ts";
import { customProperties } from "./custom-properties.ts";

const settings = {
  "lang": "en",
  "time-zone": "Europe/Lisbon",
  "country": "PT",
  "currency": "EUR",
  "first-weekday": 1,
  "time-format": "24h",
  "cell-label": "House group",
  "cells-label": "House groups",
  // examples/website on the developer's machine.
  "public-origins": ["http://localhost:8081"],
};

export async function addDemo({ accountId, tx }: DemoAccount): Promise<void> {
  await tx`
    update accounts set integration_approved = true, settings = ${json(settings)},
      custom_properties = ${json(customProperties)}, acronym = 'GCL', email = 'office@grace.example',
      phone = '+351210000000', website = 'https://grace.example'
    where id = ${accountId}`;
}
