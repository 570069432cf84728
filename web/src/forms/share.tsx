import { Trans, useLingui } from "@lingui/react/macro";
import { Copy, Printer } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useSession } from "../app/session.tsx";
import type { FormRecord } from "../data/forms.ts";
import { Button, OutwardButton } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { Banner, Skeleton } from "../ui/states.tsx";
import styles from "./forms.module.css";

// The code for the camera needs a library.
const QrCode = lazy(() => import("./qr-code.tsx").then((late) => ({ default: late.QrCode })));

/** Where visitors find the form: its address, and a code to print. */
export function Share({ form }: { form: FormRecord }) {
  const { t } = useLingui();
  const { account } = useSession();
  const [isCopied, setCopied] = useState(false);
  if (form["requires-login"])
    return (
      <p className={styles.narrow}>
        <Trans>
          People fill in this form after they log in. It has no address for visitors. You can change
          that in its settings.
        </Trans>
      </p>
    );
  if (account.settings["public-pages"] !== true)
    return (
      <div className={styles.narrow}>
        <Card title={<Trans>Your church has no public pages yet</Trans>}>
          <p>
            <Trans>
              An administrator turns them on in the settings of the church. The form then has an
              address of its own.
            </Trans>
          </p>
          <p>
            <Trans>
              If your church has a website, it can show the form itself. Your web developer finds
              out how in the reference.
            </Trans>
          </p>
          <p>
            <a href="/docs" target="_blank" rel="noreferrer">
              <Trans>Open the reference</Trans>
            </a>
          </p>
        </Card>
      </div>
    );
  const path = `/c/${account.alias}/forms/${form.slug ?? form.id}`;
  const address = new URL(path, location.origin).href;
  return (
    <div className={styles.narrow}>
      {form.status !== "open" && (
        <Banner>
          <Trans>The address works as soon as the form is open.</Trans>
        </Banner>
      )}
      <Card title={<Trans>Address</Trans>}>
        <p className={styles.address} dir="ltr">
          {address}
        </p>
        <div className={styles.buttons}>
          <Button
            icon={<Copy size={16} />}
            onClick={() => {
              navigator.clipboard.writeText(address).then(
                () => setCopied(true),
                () => setCopied(false),
              );
            }}
          >
            <Trans>Copy</Trans>
          </Button>
          <OutwardButton href={address} target="_blank">
            <Trans>See it</Trans>
          </OutwardButton>
          <span role="status" className={styles.quiet}>
            {isCopied && <Trans>Copied</Trans>}
          </span>
        </div>
      </Card>
      <Card
        title={<Trans>Code for cameras</Trans>}
        action={
          <Button kind="quiet" icon={<Printer size={15} />} onClick={() => print()}>
            <Trans>Print</Trans>
          </Button>
        }
      >
        <Suspense fallback={<Skeleton height={220} width={220} />}>
          <QrCode text={address} label={t`Code with the address of the form`} />
        </Suspense>
      </Card>
    </div>
  );
}
