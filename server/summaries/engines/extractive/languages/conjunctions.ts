/**
 * Conjunctions that a title does not need at its beginning, in languages without other data: "and", "but", "so", "or" and "because".
 */
export const CONJUNCTIONS: Readonly<Record<string, string>> = {
  bg: 'и|но|а|или|защото',
  ca: 'i|però|o|perquè|doncs',
  cs: 'a|ale|nebo|protože|takže',
  da: 'og|men|eller|fordi|så',
  el: 'και|αλλά|ή|γιατί',
  fi: 'ja|mutta|tai|koska',
  hu: 'és|de|vagy|mert',
  nb: 'og|men|eller|fordi|så',
  no: 'og|men|eller|fordi|så',
  pl: 'i|a|ale|albo|bo|więc|no',
  pt: 'e|mas|ou|porque|então',
  ro: 'și|dar|sau|pentru că|deci',
  ru: 'и|а|но|или|потому что',
  sv: 'och|men|eller|för att|så',
  tr: 've|ama|veya|çünkü',
  uk: 'і|й|а|але|або|бо',
}
