/** How far each reason makes two people alike, in percent. */
export const weights = {
  "same-email": 60,
  "same-phone": 50,
  "name-birthdate": 80,
  "name-address": 50,
} as const;

/** Pairs below this score are not duplicates, so a family that shares a telephone is not one. */
export const SCORE_MIN = 60;
