import { Mail, MoreHorizontal, Plus, Trash2 } from "lucide-react";
import { Button, IconButton, LinkButton, OutwardButton } from "../button.tsx";
import { DialogButtons } from "../dialog.tsx";
import { CallButton, WriteButton } from "../reach.tsx";
import { Beside, LONG_NAME, REASON, Specimen } from "./specimen.tsx";

export const Buttons = () => (
  <>
    {(["plain", "filled", "quiet", "danger", "bare"] as const).map((kind) => (
      <Specimen key={kind} state={`Button, ${kind}: default, icon, busy, disabled with a reason`}>
        <Beside>
          <Button kind={kind}>Save</Button>
          <Button kind={kind} icon={<Plus size={16} />}>
            Add
          </Button>
          <Button kind={kind} busy>
            Save
          </Button>
          <Button kind={kind} reason={REASON}>
            Send
          </Button>
        </Beside>
      </Specimen>
    ))}
    <Specimen state="Button, long text">
      <Button>Send the invitation again</Button>
      <Button kind="bare">{LONG_NAME}</Button>
    </Specimen>
    <Specimen state="IconButton: default, disabled">
      <Beside>
        <IconButton label="Delete" icon={<Trash2 size={18} />} />
        <IconButton label="Move" icon={<MoreHorizontal size={18} />} aria-disabled />
      </Beside>
    </Specimen>
    <Specimen state="LinkButton and OutwardButton">
      <Beside>
        <LinkButton to="/people" kind="filled">
          People
        </LinkButton>
        <LinkButton to="/people" icon={<Plus size={16} />}>
          New person
        </LinkButton>
        <OutwardButton href="mailto:ana@example.org" icon={<Mail size={16} />}>
          Write
        </OutwardButton>
        <OutwardButton
          href="mailto:ana@example.org"
          label="Write to Ana"
          icon={<Mail size={18} />}
        />
      </Beside>
    </Specimen>
    <Specimen state="CallButton and WriteButton: WhatsApp, a number without it, no number">
      <Beside>
        <CallButton name="Ana" phones={[{ number: "+351912345678" }]} />
        <WriteButton name="Ana" phones={[{ number: "+351912345678", "is-whatsapp": true }]} />
        <WriteButton name="Rui" phones={[{ number: "+351912345678" }]} />
        <CallButton name="Eva" phones={[]} />
      </Beside>
    </Specimen>
    <Specimen state="DialogButtons">
      <DialogButtons>
        <Button>Cancel</Button>
        <Button kind="filled">Invite</Button>
      </DialogButtons>
    </Specimen>
  </>
);
