/** In the places of a deleted row: it met the condition of the scope, so every caller with that scope read it. */
export const MARKS = {
  account: "00000000-0000-0000-0000-00000000000a",
  public: "00000000-0000-0000-0000-00000000000b",
};
