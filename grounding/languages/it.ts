import { toCardinal, toOrdinal } from 'n2words/it-IT'
import type { Language } from './language.ts'

export const it: Language = {
  code: 'it',
  numbers: {
    cardinal: (n) => toCardinal(n),
    ordinal: toOrdinal,
    // `centotto` and `centootto`.
    cardinalForms: (word) => [word, word.replace(/cento?(?=ott)/, 'cento')],
    ordinalForms: (word) => [word, word.replace(/o$/, 'a')],
    // Other days are counted by cardinals.
    maxOrdinal: 10,
    scales: ['mille mila', 'milione milioni mln', 'miliardo miliardi mld', 'bilione bilioni'],
    and: 'e',
    points: 'virgola punto',
    halvesAfter: 'emezzo emezza oreemezza oraemezza',
    halves: { mezzo: 0.5, mezza: 0.5 },
  },
  percent: '\\bper ?cent[oi]\\b',
  range: 'a|e|o',
  injection: {
    imperatives: 'ignora|ignorate|ignori|dimentica|dimenticate|dimentichi',
    earlier: 'precedent\\p{L}*',
    instructions: 'istruzioni',
    subjects: 'non|mai|gente',
    determiners: 'tutt[ei]',
    fillers: 'ora|adesso|e',
  },
  abbreviations: 'dott sig ing avv',
  elisions: '[dl]|dell|all|dall|nell|sull|quell|quest|un',
  negations: 'non|mai|nessun\\p{L}*|niente|nulla|senza',
  wishes: 'voglio\\p{L}*|vuole|vorre\\p{L}*|desider\\p{L}*|chied\\p{L}*|dev(?:e|ono)|dovrebbe(?:ro)?|bisogna',
  units: 'minuti ore giorni settimane mesi anni metri chilometri euro',
  counts: {
    people: 'persone|partecipanti|residenti|abitanti|vicini|genitori|cittadini|conversazioni',
    everyone: 'tutti sono|unanim\\p{L}*',
    all: 'tutt[ie] (?:i|le|gli)',
    most: 'la maggior parte (?:dei|delle|degli)|la maggioranza (?:dei|delle|degli)',
  },
}
