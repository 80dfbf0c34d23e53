import { toCardinal, toOrdinal } from 'n2words/de-DE'
import { type Language, words } from './language.ts'

export const de: Language = {
  code: 'de',
  numbers: {
    cardinal: (n) => toCardinal(n),
    ordinal: toOrdinal,
    // One loses its end before other words: `eintausend`, `ein Komma fünf`.
    cardinalForms: (word) =>
      [word, word.replace('hundert', 'hundertund')]
        .flatMap((form) => [form, form.replace(/^einhundert/, 'hundert')])
        .flatMap((form) => [
          form,
          ...(form.endsWith('eins') ? [form.slice(0, -1), `${form.slice(0, -1)}e`] : []),
        ]),
    ordinalForms: (word) => words('e en er es em').map((ending) => word.slice(0, -1) + ending),
    scales: ['tausend', 'million millionen mio', 'milliarde milliarden mrd', 'billion billionen'],
    and: 'und',
    points: 'komma',
    halvesAfter: 'einhalb undeinhalb',
    halves: { halbe: 0.5, einehalbe: 0.5, anderthalb: 1.5 },
    clock: { halb: -30, viertelnach: 15, viertelvor: -45, dreiviertel: -45 },
  },
  percent: '\\bprozent\\b',
  range: 'bis|und|oder',
  injection: {
    imperatives: 'ignorier(?:e|t|en)|vergiss|vergesst|vergessen|missachte[nt]?',
    earlier: 'vorherig\\p{L}*|bisherig\\p{L}*|obig\\p{L}*',
    instructions: 'anweisung\\p{L}*|vorgaben?',
    subjects: 'nicht|nie|ich|wir|sie|man|leute',
    determiners: 'alle|deine|ihre',
    fillers: 'bitte|jetzt|nun|und|dann',
    pronoun: 'sie',
  },
  abbreviations: 'nr art bzw ca z.b d.h u.a o.ä evtl ggf inkl',
  hesitations: 'äh ähm',
  capitalizesNouns: true,
  negations: 'nicht|kein\\p{L}*|nie|niemals|niemand\\p{L}*|nichts|ohne|weder',
  wishes: 'will|wollen|wünsch\\p{L}*|möcht\\p{L}*|soll\\p{L}*|muss|müssen',
  units: 'minuten stunden tage wochen monate jahre meter kilometer euro',
  counts: {
    people:
      'menschen|personen|leute|teilnehmer\\p{L}*|befragten?|anwohner\\p{L}*|nachbarn|eltern|bürger\\p{L}*|gesprächen?|gespräche',
    everyone: 'jede[rn]?|alle sind|einstimmig',
    all: 'alle[nr]?(?: der)?',
    most: 'die meisten|(?:die|eine) mehrheit der',
  },
}
