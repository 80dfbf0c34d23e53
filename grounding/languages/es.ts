import { toCardinal, toOrdinal } from 'n2words/es-ES'
import type { Language } from './language.ts'

export const es: Language = {
  code: 'es',
  numbers: {
    cardinal: (n) => toCardinal(n),
    ordinal: toOrdinal,
    cardinalForms: (word) =>
      [word, word.replace(/(?<!^c)ientos/, 'ientas')].flatMap((form) => [
        form,
        form.replace(/^cien(?:to)?/, 'cien'),
        form.replace(/^cien(?:to)?/, 'ciento'),
      ]),
    ordinalForms: (word) => [word, word.replace(/o$/, 'a'), word.replace(/(?<=primer|tercer)o$/, '')],
    // Other days are counted by cardinals.
    maxOrdinal: 10,
    scales: ['mil', 'millon millones', 'millardo millardos', 'billon billones'],
    and: 'y',
    points: 'coma punto',
    halvesAfter: 'ymedio ymedia horasymedia horaymedia',
    halves: { medio: 0.5, media: 0.5 },
  },
  percent: '\\bpor ?ciento\\b',
  range: 'a|y|o',
  injection: {
    imperatives: 'ignora[dr]?|ignoren|olvida[dr]?|olviden?',
    earlier: 'anterior\\p{L}*',
    instructions: 'instrucciones|indicaciones',
    subjects: 'no|nunca|gente',
    determiners: 'todas?|todos?|tus|sus',
    fillers: 'ahora|y',
  },
  abbreviations: 'p.ej sra ud uds',
  negations: 'no|nunca|jamás|nadie|nada|ning[uú]n\\p{L}*|sin',
  wishes: 'quier\\p{L}*|quer(?:emos|ría\\p{L}*)|dese\\p{L}*|pid\\p{L}*|debe\\p{L}*|gustaría',
  units: 'minutos horas días semanas meses años metros kilómetros euros',
  counts: {
    people: 'personas|participantes|vecin[oa]s|padres|ciudadan[oa]s|conversaciones',
    everyone: 'todo el mundo|unánime\\p{L}*',
    all: 'tod[oa]s l[oa]s',
    most: 'la mayoría de (?:l[oa]s )?',
  },
}
