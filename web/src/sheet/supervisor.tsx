import { useQuery } from "@tanstack/react-query";
import { cellOptions } from "../data/cells.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Line, Lines } from "../ui/card.tsx";
import { CallButton, WriteButton } from "../ui/reach.tsx";
import { firstPhone } from "../ui/reach-links.ts";
import { Ltr } from "../ui/text.tsx";

/** The nearest leader above the group, with the number to call. */
export function Supervisor({ cellId }: { cellId: string }) {
  const { data } = useQuery(cellOptions(cellId));
  const supervisor = data?.supervisors?.[0];
  if (supervisor === undefined) return null;
  const { "full-name": name, phones } = supervisor;
  const phone = firstPhone(phones);
  return (
    <Lines>
      <Line
        face={<Avatar name={name} photo={supervisor["photo-url"]} />}
        title={name}
        detail={phone && <Ltr>{phone.display ?? phone.number}</Ltr>}
      >
        <WriteButton name={name} phones={phones} />
        <CallButton name={name} phones={phones} />
      </Line>
    </Lines>
  );
}
