import { useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { Phone } from "lucide-react";
import type { PersonRow } from "../data/people-list.ts";
import { membershipTones } from "../records/enums.ts";
import { MembershipStatus } from "../records/membership-status.tsx";
import { firstPhone } from "../ui/reach-links.ts";
import styles from "./list.module.css";

/** The name in the table. */
export const nameLink = ({ id, "full-name": name }: PersonRow) => (
  <Link to="/people/$id" params={{ id }}>
    <bdi title={name}>{name}</bdi>
  </Link>
);

/** A person on a phone: the name; a status that deserves a look, the group and the added columns; a call. */
export function PersonLine({ person, texts }: { person: PersonRow; texts: readonly string[] }) {
  const { t } = useLingui();
  const name = person["full-name"];
  const phone = firstPhone(person.phones);
  const status = person["membership-status"];
  const deservesLook = status && membershipTones[status] !== undefined;
  return (
    <div className={styles.line}>
      <Link to="/people/$id" params={{ id: person.id }} className={styles.lineText}>
        <bdi className={styles.name}>{name}</bdi>
        <span className={styles.lineDetail}>
          {status && (deservesLook || texts.length === 0) && <MembershipStatus status={status} />}
          <span className={styles.lineTexts}>
            {texts.map((text, at) => (
              <bdi key={at}>{text}</bdi>
            ))}
          </span>
        </span>
      </Link>
      {phone && (
        <a href={`tel:${phone.number}`} className={styles.call} aria-label={t`Call ${name}`}>
          <Phone size={20} />
        </a>
      )}
    </div>
  );
}
