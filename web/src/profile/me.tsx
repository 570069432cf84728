import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Keyboard } from "lucide-react";
import { Failure } from "../app/failure.tsx";
import { FailureWords } from "../app/problem-words.tsx";
import { chooseLanguage, LANGUAGES } from "../app/languages.ts";
import { openOver } from "../app/opened.ts";
import { prefer, usePreferences } from "../app/preferences.ts";
import { useSession } from "../app/session.tsx";
import { keys } from "../data/keys.ts";
import { changeLocale, ownRecordOptions } from "../data/me.ts";
import { newIntent, useWrite } from "../data/write.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button, LinkButton } from "../ui/button.tsx";
import { Card, Facts } from "../ui/card.tsx";
import { CheckField, SelectField } from "../ui/field.tsx";
import { formatMonthDay } from "../ui/format.ts";
import { useMedia } from "../ui/media.ts";
import { Page } from "../ui/page.tsx";
import { Skeleton } from "../ui/states.tsx";
import { Ltr } from "../ui/text.tsx";
import { DevicesCard } from "./devices-card.tsx";
import styles from "./me.module.css";
import { PasswordCard } from "./password-card.tsx";

export function Me() {
  const { t } = useLingui();
  return (
    <Page
      title={<Trans>Me</Trans>}
      documentTitle={t`Me`}
      actions={
        <Button onClick={() => openOver({ name: "log-out" })}>
          <Trans>Log out</Trans>
        </Button>
      }
    >
      <div className={styles.cards}>
        <OwnCard />
        <LookCard />
        <PasswordCard />
        <DevicesCard />
      </div>
    </Page>
  );
}

function OwnCard() {
  const { person, account } = useSession();
  const { data, error, refetch } = useQuery(ownRecordOptions(person.id));
  const cells = data?.cells ?? [];
  return (
    <Card
      title={<bdi>{person["full-name"]}</bdi>}
      action={
        <LinkButton to="/people/$id" params={{ id: person.id }} kind="quiet">
          <Trans>Open my record</Trans>
        </LinkButton>
      }
    >
      <div className={styles.own}>
        <Avatar name={person["full-name"]} photo={person["photo-url"]} size={64} />
        {error && data === undefined ? (
          <Failure error={error} onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <Skeleton height={64} />
        ) : (
          <Facts
            facts={[
              [<Trans key="church">Church</Trans>, <bdi key="name">{account["church-name"]}</bdi>],
              [<Trans key="mail">E-mail</Trans>, data.email && <Ltr key="m">{data.email}</Ltr>],
              [
                <Trans key="phone">Phone</Trans>,
                data.phones?.map(({ number, display }) => (
                  <span key={number} className={styles.line}>
                    <Ltr>{display ?? number}</Ltr>
                  </span>
                )),
              ],
              [
                <Trans key="birthday">Birthday</Trans>,
                data["birth-month-day"] && formatMonthDay(data["birth-month-day"]),
              ],
              [
                account.settings["cells-label"] ?? <Trans key="groups">Groups</Trans>,
                cells.length > 0 &&
                  cells.map(({ id, name }) => (
                    <span key={id} className={styles.line}>
                      <Link to="/cells/$id" params={{ id }}>
                        <bdi>{name}</bdi>
                      </Link>
                    </span>
                  )),
              ],
            ]}
          />
        )}
      </div>
    </Card>
  );
}

function LookCard() {
  const { t } = useLingui();
  const { person } = useSession();
  const client = useQueryClient();
  const { theme, density, keys: singleKeys } = usePreferences();
  const isTouch = useMedia("(pointer: coarse)");
  const locale = useWrite(
    (wish: string, intent) => changeLocale(person.id, wish === "" ? null : wish, intent),
    {
      touches: [],
      onDone: () => void client.invalidateQueries({ queryKey: keys.session }),
    },
  );
  const shown = person.locale === null ? "" : chooseLanguage([person.locale]);
  return (
    <Card title={<Trans>Language and look</Trans>}>
      <SelectField
        label={<Trans>Language</Trans>}
        value={locale.isPending ? locale.variables.values : shown}
        onChange={(event) => locale.mutate({ values: event.target.value, intent: newIntent() })}
        error={locale.error && <FailureWords error={locale.error} />}
        options={[["", t`As the church`], ...Object.entries(LANGUAGES)]}
      />
      <SelectField
        label={<Trans>Colors</Trans>}
        value={theme ?? ""}
        onChange={({ target: { value } }) =>
          prefer({ theme: value === "light" || value === "dark" ? value : undefined })
        }
        options={[
          ["", t`As the device`],
          ["light", t`Light`],
          ["dark", t`Dark`],
        ]}
      />
      {!isTouch && (
        <>
          <SelectField
            label={<Trans>Rows of lists</Trans>}
            value={density ?? ""}
            onChange={({ target: { value } }) =>
              prefer({ density: value === "compact" ? value : undefined })
            }
            options={[
              ["", t`Comfortable`],
              ["compact", t`Compact`],
            ]}
          />
          <div className={styles.keys}>
            <CheckField
              label={<Trans>Use single keys, such as “g p” for the people</Trans>}
              checked={singleKeys !== "off"}
              onChange={({ target: { checked } }) => prefer({ keys: checked ? undefined : "off" })}
            />
            <Button icon={<Keyboard size={16} />} onClick={() => openOver({ name: "keys" })}>
              <Trans>Show the keys</Trans>
            </Button>
          </div>
        </>
      )}
    </Card>
  );
}
