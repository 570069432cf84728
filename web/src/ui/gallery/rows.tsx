import { MarkRow, MarkRows } from "../mark-row.tsx";
import { Sortable } from "../sortable.tsx";
import { Held, LONG_NAME, LONG_TEXT, nothing, PEOPLE, type Person } from "./specimen.tsx";

export const Rows = () => (
  <>
    <MarkRows label="The sheet">
      <Held start={false}>
        {(isMarked, onMark) => (
          <MarkRow
            name="Ana Costa"
            photo={null}
            isMarked={isMarked}
            second={{ label: "excused", isOn: false, onPress: nothing }}
            detailsLabel="About Ana Costa"
            onToggle={() => onMark(!isMarked)}
            onDetails={nothing}
          />
        )}
      </Held>
      <MarkRow
        name="Rui"
        fullName={LONG_NAME}
        photo={null}
        isMarked
        hasNote
        detailsLabel="About Rui"
        onToggle={nothing}
        onDetails={nothing}
      />
      <MarkRow
        name={LONG_NAME}
        photo={null}
        isMarked={false}
        hasNote
        second={{ label: "excused", isOn: true, onPress: nothing }}
        detailsLabel={`About ${LONG_NAME}`}
        onToggle={nothing}
        onDetails={nothing}
      />
      <MarkRow
        name="Only read"
        photo={null}
        isMarked={false}
        second={{ label: "excused", isOn: true, onPress: nothing }}
        detailsLabel=""
        onToggle={undefined}
        onDetails={undefined}
      />
    </MarkRows>
    <Held<readonly Person[]> start={PEOPLE.slice(0, 3)}>
      {(people, onChange) => (
        <Sortable
          label="Questions"
          rows={people}
          keyOf={({ id }) => id}
          nameOf={({ name }) => name}
          onMove={(from, to) => {
            const others = people.toSpliced(from, 1);
            onChange(others.toSpliced(to, 0, ...people.slice(from, from + 1)));
          }}
          below={({ id }) => id === "1" && <p>{LONG_TEXT}</p>}
        >
          {({ name }) => <bdi>{name}</bdi>}
        </Sortable>
      )}
    </Held>
  </>
);
