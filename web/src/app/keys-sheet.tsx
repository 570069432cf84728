import { Trans, useLingui } from "@lingui/react/macro";
import { Dialog } from "../ui/dialog.tsx";
import { type KeyBinding, keyBindings } from "./key-bindings.ts";
import { isMac } from "./menu.tsx";
import { usePreferences } from "./preferences.ts";
import { closeOver } from "./opened.ts";
import styles from "./keys-sheet.module.css";

/** All keys that work at present, and what they do. */
export default function KeysSheet() {
  const { t } = useLingui();
  const { keys } = usePreferences();
  const command = isMac ? "⌘" : "Ctrl";
  const always = [
    { keys: `${command} k`, label: t`Find anything` },
    { keys: `${command} z`, label: t`Undo the last change` },
    { keys: "F6", label: t`Go to the messages` },
  ];
  return (
    <Dialog title={<Trans>Keys</Trans>} onClose={closeOver} isFullOnPhones>
      <KeyList bindings={always} />
      {keys === "off" ? (
        <p>
          <Trans>Single keys are switched off. You find the switch under Me.</Trans>
        </p>
      ) : (
        <KeyList bindings={keyBindings()} />
      )}
    </Dialog>
  );
}

function KeyList({ bindings }: { bindings: Pick<KeyBinding, "keys" | "label">[] }) {
  return (
    <dl className={styles.keys}>
      {bindings.map(({ keys, label }) => (
        <div key={keys}>
          <dt>
            {keys.split(" ").map((key, index) => (
              <kbd key={index}>{key}</kbd>
            ))}
          </dt>
          <dd>{label}</dd>
        </div>
      ))}
    </dl>
  );
}
