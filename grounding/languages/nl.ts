import { toCardinal, toOrdinal } from 'n2words/nl-NL'
import type { Language } from './language.ts'

export const nl: Language = {
  code: 'nl',
  numbers: {
    cardinal: (n) => toCardinal(n),
    ordinal: toOrdinal,
    cardinalForms: (word) =>
      [word, word.replace('honderd', 'honderden')].flatMap((form) => [
        form,
        form.replace(/^honderd/, 'eenhonderd'),
      ]),
    ordinalForms: (word) => [word],
    scales: ['duizend', 'miljoen mln', 'miljard mrd', 'biljoen'],
    and: 'en',
    points: 'komma',
    halvesAfter: 'enhalf eneenhalf',
    halves: { half: 0.5, halve: 0.5, eenhalf: 0.5, anderhalf: 1.5, anderhalve: 1.5 },
    clock: { half: -30, kwartover: 15, kwartvoor: -45 },
  },
  percent: '\\bprocent\\b',
  range: 'tot|en|of',
  injection: {
    imperatives: 'negeer|negeren|vergeet|vergeten',
    earlier: 'eerdere|vorige|bovenstaande',
    instructions: 'instructies?|aanwijzingen',
    subjects: 'niet|nooit|ik|wij|zij|ze|mensen',
    determiners: 'alle|je|jouw|uw',
    fillers: 'nu|en',
  },
  abbreviations: 'bijv bv d.w.z o.a dhr mevr drs ir m.b.t',
  negations: 'niet|geen|nooit|niemand|niets|zonder',
  wishes: 'wil(?:len)?|wenst|wensen|graag|moet(?:en)?|vra(?:ag|agt|gen) om',
  units: 'minuten uren dagen weken maanden jaren meter kilometer euro',
  counts: {
    people: 'mensen|personen|deelnemers|bewoners|buren|ouders|burgers|gesprekken',
    everyone: 'iedereen|unaniem',
    all: 'alle',
    most: 'de meeste|(?:de|een) meerderheid van de',
  },
}
