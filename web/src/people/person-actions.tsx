import { Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { VestryError } from "@vestry/sdk";
import {
  Camera,
  Ellipsis,
  ImageOff,
  Mail,
  MessageCircle,
  Phone,
  Trash2,
  UserCheck,
  UserMinus,
  UserX,
} from "lucide-react";
import { useId, useState } from "react";
import { mayAct, mayWrite } from "../app/may.ts";
import { usePageActions } from "../app/page-actions.ts";
import { FailureBanner, FailureWords } from "../app/problem-words.tsx";
import { useSession } from "../app/session.tsx";
import { useUndo } from "../app/undo.tsx";
import { keys } from "../data/keys.ts";
import {
  changePerson,
  deletePhoto,
  personOptions,
  type PersonRecord,
  putPhoto,
} from "../data/person.ts";
import { newIntent, useWrite } from "../data/write.ts";
import { OutwardButton } from "../ui/button.tsx";
import { type MenuEntry, MenuButton } from "../ui/popover.tsx";
import { Banner } from "../ui/states.tsx";
import { toast } from "../ui/toasts.tsx";
import { AnonymizePerson } from "./anonymize-person.tsx";
import { DeletePerson } from "./delete-person.tsx";
import { whatsappLink } from "../ui/reach-links.ts";
import styles from "./person.module.css";

const PHOTO_TYPES = ["image/jpeg", "image/png", "image/webp"];
const PHOTO_BYTES_MAX = 5 * 1024 * 1024;

/** Call, WhatsApp, e-mail, and the rest behind More. On phones they are in the reach of the thumb. */
export function PersonActions({ person }: { person: PersonRecord }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const session = useSession();
  const undo = useUndo();
  const [isDeleting, setDeleting] = useState(false);
  const [isAnonymizing, setAnonymizing] = useState(false);
  const [photoProblem, setPhotoProblem] = useState<VestryError | "type" | "size">();
  const photoInput = useId();
  const name = person["full-name"];
  const phones = person.phones ?? [];
  const first = phones.find((phone) => phone["is-primary"]) ?? phones[0];
  const chat =
    phones.find((phone) => phone["is-whatsapp"] && phone["is-primary"]) ??
    phones.find((phone) => phone["is-whatsapp"]);

  const photo = useWrite(
    async (file: File | null) => {
      if (file) await putPhoto(person.id, file);
      else await deletePhoto(person.id);
    },
    {
      touches: ["people"],
      onDone: (_, file) => {
        void client.invalidateQueries({ queryKey: keys.one("people", person.id, "screen") });
        toast(file ? t`The photo is there` : t`The photo is removed`);
      },
    },
  );
  const activity = useWrite(
    (isActive: boolean, { idempotencyKey }) =>
      changePerson(person.id, { "is-active": isActive }, { etag: person.$etag, idempotencyKey }),
    {
      touches: ["people"],
      onDone: (record, isActive) => {
        client.setQueryData(personOptions(person.id).queryKey, record);
        undo(
          isActive ? t`${name} is active again` : t`${name} is not active any more`,
          ["people"],
          () => changePerson(record.id, { "is-active": !isActive }, { etag: record.$etag }),
        );
      },
    },
  );

  function upload(file: File | undefined): void {
    setPhotoProblem(undefined);
    if (!file) return;
    if (!PHOTO_TYPES.includes(file.type)) setPhotoProblem("type");
    else if (file.size > PHOTO_BYTES_MAX) setPhotoProblem("size");
    else photo.mutate({ values: file, intent: newIntent() }, { onError: setPhotoProblem });
  }

  const isSelf = session.person.id === person.id;
  const mayHavePhoto = mayWrite(person, "full-name");
  const mayDelete = mayAct(person, "delete");
  const entries: MenuEntry[] = [
    ...(mayHavePhoto
      ? [
          {
            id: "photo",
            label: person["photo-url"] ? t`Change the photo` : t`Add a photo`,
            icon: <Camera size={16} />,
            onSelect: () => document.getElementById(photoInput)?.click(),
          },
        ]
      : []),
    ...(mayHavePhoto && person["photo-url"]
      ? [
          {
            id: "no-photo",
            label: t`Remove the photo`,
            icon: <ImageOff size={16} />,
            onSelect: () =>
              photo.mutate({ values: null, intent: newIntent() }, { onError: setPhotoProblem }),
          },
        ]
      : []),
    ...(mayWrite(person, "is-active") && !isSelf
      ? [
          {
            id: "activity",
            label: person["is-active"] ? t`Deactivate` : t`Activate again`,
            icon: person["is-active"] ? <UserX size={16} /> : <UserCheck size={16} />,
            onSelect: () => activity.mutate({ values: !person["is-active"], intent: newIntent() }),
          },
        ]
      : []),
    ...(mayAct(person, "anonymize") === true
      ? [
          {
            id: "anonymize",
            label: t`Anonymize…`,
            icon: <UserMinus size={16} />,
            isDanger: true,
            onSelect: () => setAnonymizing(true),
          },
        ]
      : []),
    ...(mayDelete === false || mayDelete === "person-anonymized"
      ? []
      : [
          {
            id: "delete",
            label: t`Delete …`,
            icon: <Trash2 size={16} />,
            isDanger: true,
            reason:
              mayDelete === "deleting-oneself"
                ? t`Another full administrator can delete your record`
                : mayDelete === "last-full-administrator"
                  ? t`This is the last full administrator`
                  : undefined,
            onSelect: () => setDeleting(true),
          },
        ]),
  ];
  usePageActions(
    entries.flatMap(({ id, label, reason, onSelect }) =>
      onSelect && reason === undefined ? [{ id, label, run: onSelect }] : [],
    ),
  );

  return (
    <>
      <div className={styles.actions}>
        {first && !isSelf && (
          <OutwardButton href={`tel:${first.number}`} icon={<Phone size={18} />}>
            <Trans>Call</Trans>
          </OutwardButton>
        )}
        {chat && !isSelf && (
          <OutwardButton
            href={whatsappLink(chat.number)}
            target="_blank"
            icon={<MessageCircle size={18} />}
          >
            WhatsApp
          </OutwardButton>
        )}
        {person.email && !isSelf && (
          <OutwardButton href={`mailto:${person.email}`} icon={<Mail size={18} />}>
            <Trans>E-mail</Trans>
          </OutwardButton>
        )}
        {entries.length > 0 && (
          <MenuButton
            trigger={{ label: t`More`, icon: <Ellipsis size={18} />, busy: photo.isPending }}
            entries={entries}
          />
        )}
      </div>
      <input
        id={photoInput}
        type="file"
        accept={PHOTO_TYPES.join()}
        hidden
        aria-label={t`Photo`}
        onChange={({ currentTarget }) => {
          upload(currentTarget.files?.[0]);
          currentTarget.value = "";
        }}
      />
      {photoProblem && (
        <Banner tone="bad">
          {photoProblem === "size" ? (
            <Trans>This file is too large. At most 5 MB.</Trans>
          ) : photoProblem === "type" ? (
            <Trans>This file cannot be used. JPEG, PNG or WebP.</Trans>
          ) : (
            <FailureWords error={photoProblem} />
          )}
        </Banner>
      )}
      <FailureBanner error={activity.error} />
      {isAnonymizing && <AnonymizePerson person={person} onClose={() => setAnonymizing(false)} />}
      {isDeleting && <DeletePerson person={person} onClose={() => setDeleting(false)} />}
    </>
  );
}
