/** The options have their labels. Their values are the same words in small letters. */
const select = (...labels: string[]) =>
  labels.map((label) => ({ value: label.toLowerCase(), label }));

/** The custom fields of the demo account and of seeded accounts: one of each common kind. */
export const customProperties = {
  people: {
    "shirt-size": {
      "type": "select",
      "label": "Shirt size",
      "options": select("S", "M", "L", "XL"),
      "self-editable": true,
      "order": 1,
    },
    "serves-in": {
      type: "multi-select",
      label: "Serves in",
      options: select("Building", "Children", "Music", "Prayer", "Welcome"),
      order: 2,
    },
    "newcomers-lunch": { type: "boolean", label: "Coming to the newcomers' lunch", order: 3 },
    "allergies": { "type": "text", "label": "Allergies", "read-access": "staff", "order": 4 },
  },
  courses: { room: { type: "string", label: "Room" } },
};
