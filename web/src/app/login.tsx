import { Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { rememberedChurch, sessionOptions } from "../data/session.ts";
import { adopt } from "./session.tsx";
import { LoginForm } from "./login-form.tsx";
import styles from "./login.module.css";

const route = getRouteApi("/login");

export function Login() {
  const { t } = useLingui();
  const { to } = route.useSearch();
  const navigate = route.useNavigate();
  const client = useQueryClient();
  const church = rememberedChurch();
  return (
    <Gate
      documentTitle={t`Log in`}
      title={
        church ? (
          <Trans>
            Log in to <bdi>{church.name}</bdi>
          </Trans>
        ) : (
          <Trans>Log in</Trans>
        )
      }
    >
      <LoginForm
        onDone={(session) => {
          client.setQueryData(sessionOptions.queryKey, session);
          void adopt(session).then(() => navigate({ href: ownPath(to), replace: true }));
        }}
      />
    </Gate>
  );
}

/** A link to this page can name any address. Only paths of the app are followed. */
function ownPath(to: string | undefined): string {
  const url = to === undefined ? null : URL.parse(to, location.origin);
  return url?.origin === location.origin ? url.href.slice(url.origin.length) : "/";
}

/** The frame of the pages before the log-in: a mark, one heading, one card. */
export function Gate({
  documentTitle,
  title,
  children,
}: {
  documentTitle: string;
  title: ReactNode;
  children: ReactNode;
}) {
  const { t } = useLingui();
  useEffect(() => {
    document.title = t`${documentTitle} · Vestry`;
  }, [documentTitle, t]);
  return (
    <main className={styles.gate}>
      <img src="/icon.svg" alt="" width={44} height={44} />
      <h1>{title}</h1>
      <div className={styles.card}>{children}</div>
    </main>
  );
}
