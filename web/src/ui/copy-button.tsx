import { Trans } from "@lingui/react/macro";
import { Copy } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import styles from "./code.module.css";

/** Copies a text, and says so beside the button. A browser without a clipboard says nothing. */
export function CopyButton({ text, children }: { text: string; children?: ReactNode }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <span className={styles.copying}>
      <Button
        icon={<Copy size={16} />}
        onClick={() => {
          navigator.clipboard.writeText(text).then(
            () => setCopied(true),
            () => setCopied(false),
          );
        }}
      >
        {children ?? <Trans>Copy</Trans>}
      </Button>
      <span role="status" className={styles.quiet}>
        {isCopied && <Trans>Copied</Trans>}
      </span>
    </span>
  );
}
