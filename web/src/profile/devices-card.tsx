import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Failure } from "../app/failure.tsx";
import { FailureWords } from "../app/problem-words.tsx";
import { useSession } from "../app/session.tsx";
import { devicesOptions, endDevice, endOtherDevices } from "../data/me.ts";
import { newIntent, useWrite } from "../data/write.ts";
import { Button } from "../ui/button.tsx";
import { Card, Line, Lines } from "../ui/card.tsx";
import { Chip } from "../ui/chip.tsx";
import { formatMoment } from "../ui/format.ts";
import { Skeleton } from "../ui/states.tsx";

/** The places where the person is logged in, and how to end a log-in that is not wanted. */
export function DevicesCard() {
  const { t } = useLingui();
  const { data: devices, error, refetch } = useQuery(devicesOptions);
  const { person } = useSession();
  const end = useWrite(endDevice, { touches: ["access-tokens"] });
  const endOthers = useWrite(endOtherDevices, { touches: ["access-tokens"] });
  const failure = end.error ?? endOthers.error;
  return (
    <Card title={<Trans>Devices</Trans>}>
      {devices === undefined && !error && <Skeleton height={57} />}
      <Lines>
        {devices?.map((device) => {
          // The service names a device "Firefox on Android".
          const [browser, system] = device.device?.split(" on ") ?? [];
          const name =
            system === undefined
              ? (device.device ?? (device.kind === "bearer" ? t`A program` : t`Unknown device`))
              : t`${browser} on ${system}`;
          const lastUse = formatMoment(device["last-used-at"]);
          return (
            <Line key={device.id} title={name} detail={<Trans>Last used {lastUse}</Trans>}>
              {device["is-current"] ? (
                <Chip>
                  <Trans>This one</Trans>
                </Chip>
              ) : (
                <Button
                  aria-label={t`Log out ${name}`}
                  busy={end.isPending && end.variables.values === device.id}
                  onClick={() => end.mutate({ values: device.id, intent: newIntent() })}
                >
                  <Trans>Log out</Trans>
                </Button>
              )}
            </Line>
          );
        })}
      </Lines>
      {error && devices === undefined && <Failure error={error} onRetry={() => void refetch()} />}
      {devices !== undefined && devices.length > 2 && (
        <Button
          busy={endOthers.isPending}
          onClick={() => endOthers.mutate({ values: person.id, intent: newIntent() })}
        >
          <Trans>Log out all other devices</Trans>
        </Button>
      )}
      {failure && (
        <p role="alert">
          <FailureWords error={failure} />
        </p>
      )}
    </Card>
  );
}
