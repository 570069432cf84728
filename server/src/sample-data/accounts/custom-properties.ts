const select = (...values: string[]) => values.map((value) => ({ value }));

/** The custom fields of the demo account and of seeded accounts: one of each common kind. */
export const customProperties = {
  people: {
    "shirt-size": {
      "type": "select",
      "label": "Shirt size",
      "options": select("s", "m", "l", "xl"),
      "self-editable": true,
      "order": 1,
    },
    "serves-in": {
      type: "multi-select",
      label: "Serves in",
      options: select("building", "children", "music", "prayer", "welcome"),
      order: 2,
    },
    "newcomers-lunch": { type: "boolean", label: "Coming to the newcomers' lunch", order: 3 },
    "allergies": { "type": "text", "label": "Allergies", "read-access": "staff", "order": 4 },
  },
  courses: { room: { type: "string", label: "Room" } },
};
