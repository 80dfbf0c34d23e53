import { toCardinal, toOrdinal } from 'n2words/fr-FR'
import type { Language } from './language.ts'

const OTHER_ORDINALS: Readonly<Record<number, string[]>> = { 1: ['premiere'], 2: ['second', 'seconde'] }

export const fr: Language = {
  code: 'fr',
  numbers: {
    cardinal: (n) => toCardinal(n),
    ordinal: toOrdinal,
    // `vingt et un` and `vingt-un`, `quatre-vingts` and `quatre-vingt`, `deux cents` and `deux cent`.
    cardinalForms: (word, n) =>
      [word, word.replace(/et(?=un$|onze$)/, ''), word.replace(/(?<=vingt|cent)s$/, '')].flatMap((form) =>
        n < 200 ? [form] : [form, form.replace(/cent(?!s$)/, 'cents')],
      ),
    ordinalForms: (word, n) => [word, word.replace(/et(?=unieme$)/, ''), ...(OTHER_ORDINALS[n] ?? [])],
    scales: ['mille', 'million millions', 'milliard milliards', 'billion billions'],
    and: 'et',
    points: 'virgule',
    halvesAfter: 'etdemi etdemie heuresetdemie heureetdemie',
    halves: { demi: 0.5, undemi: 0.5, unedemie: 0.5 },
  },
  percent: '\\bpour ?cent\\b',
  range: 'a|et|ou',
  injection: {
    imperatives: 'ignore[rz]?|oublie[rz]?',
    earlier: 'précédent\\p{L}*',
    instructions: 'consignes?|instructions?',
    subjects: 'je|nous|on|ils|elles|gens|ne',
    determiners: 'tou[ts]\\p{L}*|tes|vos',
    fillers: 'maintenant|et',
  },
  abbreviations: 'mme mlle p.ex av',
  hesitations: 'euh',
  elisions: '[cdjlmnst]|qu',
  negations: "ne|n['’]\\p{L}+|pas|jamais|aucun\\p{L}*|rien|sans|ni",
  wishes:
    'veux|veut|veulent|voul\\p{L}*|voudr\\p{L}*|souhait\\p{L}*|faudrait|il faut|doi(?:t|vent)|demande(?:nt)?',
  units: 'minutes heures jours semaines mois ans mètres kilomètres euros',
  counts: {
    people:
      'personnes|gens|participants?|participantes|habitants?|habitantes|voisins|parents|citoyens|conversations',
    everyone: 'tout le monde|unanim\\p{L}*',
    all: 'tou(?:s|tes) les',
    most: 'la plupart des|la majorité des',
  },
}
