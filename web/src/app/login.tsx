import { Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { rememberedChurch, sessionOptions } from "../data/session.ts";
import { Gate } from "./gate.tsx";
import { adopt } from "./session.tsx";
import LoginForm from "./login-form.tsx";

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
