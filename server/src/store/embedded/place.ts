import { chmodSync, mkdirSync } from "node:fs";

/** Where root puts what an unprivileged user must reach, when the repository or the data directory is out of reach. */
export function sharedPlace(): string {
  const place = "/var/lib/vestry";
  mkdirSync(place, { recursive: true });
  // One may pass through to what one owns, but not look around.
  chmodSync(place, 0o711);
  return place;
}
