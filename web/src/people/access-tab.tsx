import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import type { PersonResourceScope } from "@vestry/sdk";
import { Copy, LogOut, Mail, MessageCircle } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useHolds } from "../app/may.ts";
import { useSession } from "../app/session.tsx";
import { FailureBanner } from "../app/problem-words.tsx";
import { WriteDialog } from "../app/write-dialog.tsx";
import {
  changePerson,
  endLogins,
  type InvitationWay,
  invite,
  type PersonRecord,
  placeNamesOptions,
} from "../data/person.ts";
import { newIntent, useWrite } from "../data/write.ts";
import { administrativeStatuses } from "../records/enums.ts";
import { Button, OutwardButton } from "../ui/button.tsx";
import { Card, Facts } from "../ui/card.tsx";
import { Dialog, DialogButtons } from "../ui/dialog.tsx";
import { SelectField } from "../ui/field.tsx";
import { formatList } from "../ui/format.ts";
import { Time } from "../ui/text.tsx";
import { toast } from "../ui/toasts.tsx";
import { PersonCard } from "./person-card.tsx";
import { whatsappLink } from "../ui/reach-links.ts";
import styles from "./person.module.css";

/** Whether and with which rights the person logs in. */
export function AccessTab({ person }: { person: PersonRecord }) {
  const { t, i18n } = useLingui();
  return (
    <div className={styles.lone}>
      <LoginCard person={person} />
      <RolesCard person={person} />
      <PersonCard
        person={person}
        card="access"
        title={t`Administration`}
        fields={[
          {
            names: ["administrative-status"],
            label: t`Administrative status`,
            shown:
              person["administrative-status"] &&
              i18n._(administrativeStatuses[person["administrative-status"]]),
            input: (form) => (
              <SelectField
                {...form.text("administrative-status")}
                label={t`Administrative status`}
                help={t`Full administrators may do everything in this church.`}
                options={Object.entries(administrativeStatuses).map(
                  ([value, words]) => [value, i18n._(words)] as const,
                )}
              />
            ),
          },
        ]}
      />
    </div>
  );
}

function LoginCard({ person }: { person: PersonRecord }) {
  const { t } = useLingui();
  const { service, person: me } = useSession();
  const mayInvite = useHolds("person-invitations:write");
  const [link, setLink] = useState<string>();
  const [isEnding, setEnding] = useState(false);
  const isAdministrator = me["administrative-status"] !== "none";
  const invitation = useWrite(
    (way: InvitationWay, { idempotencyKey }) => invite(person.id, way, idempotencyKey),
    {
      touches: [],
      onDone: (made, way) => {
        setLink(made);
        if (way === "email") toast(t`The invitation is on its way to ${person.email ?? ""}`);
      },
    },
  );
  // The same address again is the confirmation.
  const confirmation = useWrite(
    () => changePerson(person.id, { email: person.email ?? null }, { etag: person.$etag }),
    { touches: [], onDone: () => send("email") },
  );
  const mayConfirm =
    useHolds("people:write") &&
    invitation.error?.code === "address-unconfirmed" &&
    !confirmation.isSuccess;
  const send = (way: InvitationWay) => invitation.mutate({ values: way, intent: newIntent() });
  const reason = !person.email
    ? t`This person needs an e-mail address first: it is the log-in name`
    : person["is-active"]
      ? undefined
      : t`This person is not active`;
  return (
    <Card title={<Trans>Log-in</Trans>}>
      <Facts
        facts={[
          [t`Log-in`, person["has-login"] ? t`yes, with ${person.email ?? ""}` : t`none`],
          [t`Last log-in`, person["last-login-at"] && <Time moment={person["last-login-at"]} />],
        ]}
      />
      {mayInvite && (
        <>
          <p className={styles.quiet}>
            {person["has-login"] ? (
              <Trans>An invitation lets a person who forgot the password set a new one.</Trans>
            ) : (
              <Trans>
                An invitation lets the person choose a password. It is valid for 72 hours.
              </Trans>
            )}
          </p>
          <div className={styles.chips}>
            {service.mail && (
              <Button
                icon={<Mail size={16} />}
                reason={reason}
                busy={invitation.isPending}
                onClick={() => send("email")}
              >
                <Trans>Invite by e-mail</Trans>
              </Button>
            )}
            <Button
              icon={<Copy size={16} />}
              reason={reason}
              busy={invitation.isPending}
              onClick={() => send("link")}
            >
              <Trans>Make a link</Trans>
            </Button>
          </div>
        </>
      )}
      <FailureBanner error={confirmation.error ?? invitation.error} />
      {mayConfirm && (
        <>
          <p className={styles.secret}>{person.email}</p>
          <div>
            <Button
              busy={confirmation.isPending}
              onClick={() => confirmation.mutate({ values: undefined, intent: newIntent() })}
            >
              <Trans>The address is right: invite</Trans>
            </Button>
          </div>
        </>
      )}
      {link !== undefined && (
        <LinkDialog person={person} link={link} onClose={() => setLink(undefined)} />
      )}
      {person["has-login"] && (isAdministrator || me.id === person.id) && (
        <div>
          <Button icon={<LogOut size={16} />} onClick={() => setEnding(true)}>
            <Trans>End all log-ins …</Trans>
          </Button>
        </div>
      )}
      {isEnding && <EndLogins person={person} onClose={() => setEnding(false)} />}
    </Card>
  );
}

/** The link is shown once. Closing the dialog forgets it. */
function LinkDialog({
  person,
  link,
  onClose,
}: {
  person: PersonRecord;
  link: string;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const [isCopied, setCopied] = useState(false);
  const name = <bdi>{person["full-name"]}</bdi>;
  const chat = person.phones?.find((phone) => phone["is-whatsapp"]);
  const words = t`Choose a password for our church app: ${link}`;
  return (
    <Dialog
      title={<Trans>The link of the invitation</Trans>}
      onClose={onClose}
      isDismissable={false}
    >
      <p>
        <Trans>
          Give this link to {name} alone: it opens the log-in. It is not shown again, and it is
          valid for 72 hours.
        </Trans>
      </p>
      <p className={styles.secret} dir="ltr">
        {link}
      </p>
      <p role="status">{isCopied && <Trans>Copied</Trans>}</p>
      <DialogButtons>
        <Button onClick={onClose}>
          <Trans>Close</Trans>
        </Button>
        {chat && (
          <OutwardButton
            href={`${whatsappLink(chat.number)}?text=${encodeURIComponent(words)}`}
            target="_blank"
            icon={<MessageCircle size={16} />}
          >
            WhatsApp
          </OutwardButton>
        )}
        <Button
          kind="filled"
          icon={<Copy size={16} />}
          onClick={() => {
            navigator.clipboard.writeText(link).then(
              () => setCopied(true),
              () => setCopied(false),
            );
          }}
        >
          <Trans>Copy</Trans>
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

function EndLogins({ person, onClose }: { person: PersonRecord; onClose: () => void }) {
  const { t } = useLingui();
  const name = <bdi>{person["full-name"]}</bdi>;
  const end = useWrite((_: void, { idempotencyKey }) => endLogins(person.id, idempotencyKey), {
    touches: [],
    onDone: () => {
      toast(t`All log-ins are ended`);
      onClose();
    },
  });
  return (
    <WriteDialog
      title={<Trans>End all log-ins?</Trans>}
      onClose={onClose}
      action={<Trans>End all log-ins</Trans>}
      write={end}
      onAct={() => end.mutate({ values: undefined, intent: newIntent() })}
      kind="danger"
    >
      <p>
        <Trans>{name} is logged out on every device. The password stays.</Trans>
      </p>
    </WriteDialog>
  );
}

/** The roles of a person, with the places in which they count. */
function RolesCard({ person }: { person: PersonRecord }) {
  const scopes = person["resource-scope"];
  const idsOf = (...types: PersonResourceScope["scope-type"][]) =>
    (scopes ?? []).filter((one) => types.includes(one["scope-type"])).flatMap(({ ids }) => ids);
  const cellIds = idsOf("cell", "cell-tree");
  const courseIds = idsOf("course");
  const { data: names } = useQuery({
    ...placeNamesOptions(cellIds, courseIds),
    enabled: cellIds.length + courseIds.length > 0,
  });
  if (scopes === undefined) return null;
  return (
    <Card title={<Trans>Roles</Trans>}>
      {scopes.length === 0 ? (
        <span className={styles.quiet}>
          <Trans>No roles</Trans>
        </span>
      ) : (
        <ul className={styles.column}>
          {scopes.map((scope, index) => (
            <li key={index}>
              <RoleWords scope={scope} names={names} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function RoleWords({
  scope,
  names,
}: {
  scope: PersonResourceScope;
  names: ReadonlyMap<string, string> | undefined;
}) {
  const known = scope.ids.flatMap((id) => names?.get(id) ?? []);
  const hidden = scope.ids.length - known.length;
  const places = formatList(known);
  const role = <bdi>{scope.role}</bdi>;
  return (
    <>
      <Where scope={scope} role={role} places={places} hidden={hidden} />
      {scope["is-derived"] && (
        <span className={styles.quiet}>
          {", "}
          <Trans>because of a membership or a class</Trans>
        </span>
      )}
    </>
  );
}

function Where({
  scope,
  role,
  places,
  hidden,
}: {
  scope: PersonResourceScope;
  role: ReactNode;
  places: string;
  hidden: number;
}) {
  if (scope["scope-type"] === "account") return <Trans>{role} everywhere</Trans>;
  if (scope["scope-type"] === "self") return <Trans>{role} for the own record</Trans>;
  if (scope.ids.length === 0) return <Trans>{role} nowhere</Trans>;
  if (places === "")
    return (
      <Trans>
        {role} in {hidden} places
      </Trans>
    );
  return scope["scope-type"] === "cell-tree" ? (
    <Trans>
      {role} of <bdi>{places}</bdi> and all groups below
    </Trans>
  ) : (
    <Trans>
      {role} of <bdi>{places}</bdi>
    </Trans>
  );
}
