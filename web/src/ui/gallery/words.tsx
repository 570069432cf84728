import { Mail } from "lucide-react";
import { AddressText } from "../address-field.tsx";
import { Avatar } from "../avatar.tsx";
import { Bars } from "../bars.tsx";
import { Button } from "../button.tsx";
import { Card, Facts, Line, Lines } from "../card.tsx";
import { Chip, Count, type Tone } from "../chip.tsx";
import { now } from "../clock.ts";
import { Banner, EmptyState, ErrorState, Skeleton } from "../states.tsx";
import { Ltr, Time, VisuallyHidden } from "../text.tsx";
import { Trans } from "../trans.tsx";
import {
  ADDRESS,
  Beside,
  Grid,
  HEBREW_NAME,
  LONG_NAME,
  LONG_TEXT,
  nothing,
  Specimen,
} from "./specimen.tsx";

const TONES: readonly Tone[] = ["plain", "good", "warn", "bad", "info", "accent"];

export const Words = () => (
  <>
    <Specimen state="Chip: tones, icon, long text">
      <Beside>
        {TONES.map((tone) => (
          <Chip key={tone} tone={tone} icon={tone === "good" && <Mail size={13} />}>
            {tone}
          </Chip>
        ))}
        <Chip>
          <bdi>{LONG_TEXT}</bdi>
        </Chip>
      </Beside>
    </Specimen>
    <Specimen state="Count: tones, thousands">
      <Beside>
        {TONES.map((tone, index) => (
          <Count key={tone} tone={tone} value={12 ** index} />
        ))}
      </Beside>
    </Specimen>
    <Specimen state="Time: less than a day ago, earlier">
      <Beside>
        <Time moment={new Date(now() - 7_200_000).toISOString()} />
        <Time moment="2026-03-01T10:00:00Z" />
      </Beside>
    </Specimen>
    <Specimen state="Ltr, VisuallyHidden and Trans, with a name written to the left">
      <p>
        Call <Ltr>+351 912 345 678</Ltr> <VisuallyHidden>on the telephone</VisuallyHidden>
      </p>
      <p>
        <Trans
          id="gallery.joined"
          message="{name} joined, and 3 others"
          values={{ name: HEBREW_NAME }}
        />
      </p>
    </Specimen>
  </>
);

export const Faces = () => (
  <>
    <Specimen state="Avatar: initials, one word, written to the left, emoji, photo, broken photo, large">
      <Beside>
        <Avatar name="Ana Mariana Costa" />
        <Avatar name="Rui" />
        <Avatar name={HEBREW_NAME} />
        <Avatar name="🕊️" />
        <Avatar name="Photo" photo="/icon-192.png" />
        <Avatar name="Broken Photo" photo="data:," />
        <Avatar name={LONG_NAME} size={72} isPrinted />
      </Beside>
    </Specimen>
  </>
);

export const Cards = () => (
  <>
    <Grid>
      <Card title="Members" count={<Count value={13} />} action={<Button kind="quiet">Add</Button>}>
        <Lines>
          <Line
            face={<Avatar name="Ana Costa" />}
            title={<a href="#ana">Ana Costa</a>}
            detail="leads since March"
          >
            <Chip tone="warn">late</Chip>
          </Line>
          <Line face={<Avatar name={LONG_NAME} />} title={LONG_NAME} detail={LONG_TEXT}>
            <Button>Accept</Button>
            <Button>Decline</Button>
          </Line>
          <Line title={HEBREW_NAME} />
        </Lines>
      </Card>
      <Card title={LONG_TEXT} action={<Button kind="quiet">Edit</Button>}>
        <Facts
          facts={[
            ["E-mail", <bdi key="e-mail">{"a-very-long-address".repeat(3)}@example.org</bdi>],
            ["Without a value", null],
            ["Address", <AddressText key="address" address={ADDRESS} />],
          ]}
        />
      </Card>
      <Card title="Attendance">
        <Bars summary="271 visits in 8 weeks" columns={["Week", "People"]} bars={weeks(8)} />
      </Card>
      <Card title="Nobody came">
        <Bars
          summary="No visits in 3 weeks"
          columns={["Week", "People"]}
          bars={weeks(3).map((bar) => ({ ...bar, value: 0 }))}
        />
      </Card>
    </Grid>
    <Card title="Twelve meetings">
      <Bars summary="448 visits in 12 meetings" columns={["Day", "People"]} bars={weeks(12)} />
    </Card>
  </>
);

const weeks = (count: number) =>
  Array.from({ length: count }, (_, week) => ({
    id: String(week),
    label: `${week + 1} Nov`,
    value: 30 + ((week * 7) % 20),
    isRunning: week === count - 1,
  }));

export const States = () => (
  <>
    <Grid>
      <Specimen state="Skeleton">
        <Skeleton height={36} />
        <Skeleton height={14} width="60%" />
      </Specimen>
      <Specimen state="EmptyState">
        <EmptyState title="No groups yet" actions={<Button>New group</Button>}>
          {LONG_TEXT}
        </EmptyState>
      </Specimen>
      <Specimen state="ErrorState">
        <ErrorState
          message="The service cannot be reached."
          requestId="01jd-0000-request"
          onRetry={nothing}
        />
      </Specimen>
      <Specimen state="Banner: warning, failure, long text">
        <Banner action={<Button kind="quiet">Try again</Button>}>These rows are old.</Banner>
        <Banner tone="bad">The change was not saved.</Banner>
        <Banner action={<Button kind="quiet">Try again</Button>}>{LONG_TEXT}</Banner>
      </Specimen>
    </Grid>
  </>
);
