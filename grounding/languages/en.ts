import { toCardinal, toOrdinal } from 'n2words/en-US'
import type { Language } from './language.ts'

export const en: Language = {
  code: 'en',
  numbers: {
    cardinal: (n) => toCardinal(n),
    ordinal: toOrdinal,
    cardinalForms: (word) =>
      [word, word.replace('hundred', 'hundredand')].flatMap((form) =>
        form.startsWith('onehundred') ? [form, form.replace('one', 'a'), form.replace('one', '')] : [form],
      ),
    ordinalForms: (word) => [word],
    scales: ['thousand', 'million', 'billion', 'trillion'],
    and: 'and',
    points: 'point',
    halvesAfter: 'andahalf hoursandahalf hourandahalf',
    halves: { half: 0.5, halfa: 0.5, ahalf: 0.5 },
    clock: { halfpast: 30, quarterpast: 15, aquarterpast: 15, quarterto: -45, aquarterto: -45 },
  },
  percent: '\\bper ?cent\\b|\\bpct\\b',
  range: 'to|and|or',
  injection: {
    imperatives: 'ignore|disregard|forget|override',
    earlier: 'previous|prior|above|earlier|preceding',
    instructions: 'instructions?|prompts?',
    subjects: "\\p{L}+n['’]t|not|never|i|we|they|he|she|people|everyone|(?:every|no)body|who",
    determiners: 'all|any|your',
    fillers: 'please|now|then|just|so|and|but',
    unmistakable: [
      /\byou are now an? (?:[\w-]+ ){0,3}(?:ai|assistant|(?:chat)?bot|model|llm)(?= (?:that|which|who|with|without|named|called|and)\b| ?(?:[^\p{L}\s]|$))/iu,
      /\byou are now in [\w-]+ mode\b/iu,
      /\b(?:your|new|(?:reveal|show|print|repeat|output)(?: me)? the) system ?prompt\b|(?:^|[.!?]) *system ?prompt ?:/imu,
    ],
  },
  abbreviations: 'mr mrs ms dr prof st jr sr vs approx e.g i.e fig',
  hesitations: 'uh uhm um er erm eh ehm hm mhm yeah okay',
  negations: "not|no|never|none|nobody|nothing|neither|nor|without|cannot|\\p{L}+n['’]t",
  wishes:
    "wants?|wanted|wish(?:es)?|(?:would|['’]d) (?:\\p{L}+ )?like|should(?:n['’]t)?|must(?:n['’]t)?|asks?",
  units: 'minutes hours days weeks months years metres meters kilometres euros dollars pounds',
  counts: {
    people:
      'people|persons?|participants?|residents?|respondents?|speakers?|neighbou?rs?|parents?|citizens?|conversations?',
    everyone: 'everyone|everybody|unanimous(?:ly)?',
    all: 'all(?: of)?(?: the)?',
    most: 'most(?: of)?(?: the)?|(?:the|a) majority of(?: the)?',
  },
}
