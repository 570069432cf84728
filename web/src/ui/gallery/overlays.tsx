import { Mail, MoreHorizontal, Trash2 } from "lucide-react";
import { Button } from "../button.tsx";
import { ConflictDialog } from "../conflict-dialog.tsx";
import { Dialog, DialogButtons } from "../dialog.tsx";
import { TextField } from "../field.tsx";
import { PanelFoot } from "../filter-bar.tsx";
import { MenuButton, PopoverButton } from "../popover.tsx";
import { toast } from "../toasts.tsx";
import styles from "./gallery.module.css";
import { Beside, HEBREW_NAME, Held, LONG_NAME, LONG_TEXT, nothing, REASON } from "./specimen.tsx";

type Opened = "dialog" | "drawer" | "alert" | "conflict" | undefined;

export const Overlays = () => (
  <>
    <Held<Opened> start={undefined}>
      {(opened, onOpen) => (
        <>
          <Beside>
            <Button aria-haspopup="dialog" onClick={() => onOpen("dialog")}>
              Open the dialog
            </Button>
            <Button aria-haspopup="dialog" onClick={() => onOpen("drawer")}>
              Open the drawer
            </Button>
            <Button aria-haspopup="dialog" onClick={() => onOpen("alert")}>
              Open the alert
            </Button>
            <Button aria-haspopup="dialog" onClick={() => onOpen("conflict")}>
              Open the conflict
            </Button>
            <PopoverButton trigger={{ label: "Open the panel" }}>
              {(close) => (
                <div className={styles.panel}>
                  <TextField label="In the panel" />
                  <Button onClick={close}>Close</Button>
                </div>
              )}
            </PopoverButton>
            <MenuButton
              trigger={{ iconOnly: true, label: "More", icon: <MoreHorizontal size={18} /> }}
              entries={[
                {
                  id: "write",
                  label: "Write",
                  icon: <Mail size={16} />,
                  onSelect: () => toast("Written"),
                },
                { id: "send", label: "Send", reason: REASON },
                { id: "long", label: LONG_TEXT },
                { id: "call", label: "Call", href: "tel:+351912345678" },
                { id: "delete", label: "Delete", icon: <Trash2 size={16} />, isDanger: true },
              ]}
            />
            <Held start="kept">
              {(state, onChange) => (
                <Button
                  onClick={() => {
                    onChange("deleted");
                    toast("Ana Costa was deleted", () => onChange("kept"));
                  }}
                >
                  Delete ({state})
                </Button>
              )}
            </Held>
            <Button onClick={() => toast(LONG_TEXT, nothing)}>Say much</Button>
            <Button
              onClick={() =>
                toast("Ana Costa is now in Alcântara", undefined, [
                  { label: "Ana Costa", to: "/" },
                  { label: "Alcântara", to: "/" },
                ])
              }
            >
              Say where
            </Button>
          </Beside>
          <Dialog
            isOpen={opened === "dialog"}
            onClose={() => onOpen(undefined)}
            title={LONG_NAME}
            isFullOnPhones
          >
            <TextField label="In the dialog" />
            <p>{LONG_TEXT.repeat(12)}</p>
            <PanelFoot>
              <Button onClick={() => onOpen(undefined)}>Cancel</Button>
              <Button kind="filled">Save</Button>
            </PanelFoot>
          </Dialog>
          <Dialog
            isOpen={opened === "drawer"}
            onClose={() => onOpen(undefined)}
            title={LONG_NAME}
            isDrawer
          >
            <p>{LONG_TEXT.repeat(12)}</p>
          </Dialog>
          <Dialog
            isOpen={opened === "alert"}
            onClose={() => onOpen(undefined)}
            title="Delete Ana Costa?"
            isAlert
            isDismissable={false}
          >
            <DialogButtons>
              <Button onClick={() => onOpen(undefined)}>Keep</Button>
              <Button kind="danger">Delete</Button>
            </DialogButtons>
          </Dialog>
          {opened === "conflict" && (
            <ConflictDialog
              conflicts={[
                { name: "name", mine: "Ana", theirs: "Ana Maria" },
                { name: "is-open", mine: true, theirs: null },
                { name: "note", mine: LONG_TEXT, theirs: HEBREW_NAME },
              ]}
              labelOf={(name) => (name === "is-open" ? "Open to newcomers" : "")}
              onDecide={() => onOpen(undefined)}
              onClose={() => onOpen(undefined)}
            />
          )}
        </>
      )}
    </Held>
  </>
);
