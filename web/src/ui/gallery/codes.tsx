import { Code, Json } from "../code.tsx";
import { Columns } from "../columns.tsx";
import { CopyButton } from "../copy-button.tsx";
import { Stepper } from "../stepper.tsx";
import { LinkTabs } from "../tabs.tsx";
import { Tiles } from "../tiles.tsx";
import { Beside, HEBREW_NAME, LONG_NAME, LONG_TEXT, Specimen } from "./specimen.tsx";

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** What developers read: code, documents, figures, and the steps of a verification. */
export const Codes = () => (
  <>
    <Specimen state="Code with HTML in it, and CopyButton">
      <Code label="Code">{`<script>alert("never run")</script>\n${LONG_TEXT}`}</Code>
      <Beside>
        <CopyButton text={LONG_TEXT} />
        <CopyButton text={LONG_TEXT}>Copy as curl</CopyButton>
      </Beside>
    </Specimen>
    <Specimen state="Json">
      <Json
        label="Document"
        value={{
          name: LONG_NAME,
          other: HEBREW_NAME,
          none: null,
          empty: {},
          far: { inside: { of: { it: [1, true, LONG_TEXT] } } },
        }}
      />
    </Specimen>
    <Specimen state="Stepper">
      <Stepper
        label="Steps"
        steps={[
          { id: "1", title: "Sent", state: "done", words: "done" },
          { id: "2", title: "Answered", state: "now", words: "under way", detail: LONG_TEXT },
          { id: "3", title: LONG_TEXT, state: "failed", words: "failed" },
          { id: "4", title: "Active", state: "later", words: "not yet" },
        ]}
      />
    </Specimen>
    <Specimen state="Tiles and Columns">
      <Tiles
        tiles={[
          ["delivered in the end", "94.3 %"],
          ["attempts", "221"],
          [LONG_TEXT, "166", "ms"],
        ]}
      >
        <Columns
          summary="221 attempts"
          unit="From"
          asTable="As a table"
          parts={[
            ["delivered", "good"],
            ["tried again", "warn"],
            ["failed", "bad"],
          ]}
          columns={HOURS.map((hour) => ({
            id: String(hour),
            label: `${hour}:00`,
            values: [(hour * 7) % 5, hour % 6 === 0 ? 1 : 0, hour === 20 ? 3 : 0],
            link: { to: "." },
          }))}
        />
      </Tiles>
    </Specimen>
    <Specimen state="LinkTabs">
      <LinkTabs
        label="Pages beside each other"
        current="one"
        tabs={[
          { id: "one", label: "One", link: { to: "." } },
          { id: "two", label: LONG_TEXT, count: 3, link: { to: "." } },
        ]}
      />
    </Specimen>
  </>
);
