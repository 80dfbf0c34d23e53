import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createExtractiveSummarizer } from './summarizer.ts'

const summarizer = createExtractiveSummarizer()
const summaryOf = (text: string, language: string) =>
  summarizer.summarize({
    language,
    utterances: [{ id: 'u', start: 0, text }],
    signal: new AbortController().signal,
  })

const STATEMENTS: readonly [language: string, text: string, first: RegExp][] = [
  ['de', 'Ich bin für höhere Parkgebühren. Mein Sohn schimpft mit mir.', /für höhere Parkgebühren/],
  [
    'de',
    'Wir sind alle über siebzig und brauchen unsere Mittagsruhe. Ich lehne einen neuen Spielplatz hinter unserem Haus ab.',
    /lehne einen neuen Spielplatz/,
  ],
  [
    'it',
    "Sono contro l'aumento delle tariffe dei parcheggi. Pago già le tasse, il bollo e l'assicurazione. Scusate lo sfogo.",
    /contro l'aumento/,
  ],
  ['it', "Sono favorevole all'autobus notturno. Mio figlio dice di no.", /favorevole/],
  ['en', 'You can call me on 020 7946 0812 if you need more. I would like a bench.', /would like a bench/],
  [
    'en',
    'Can you hear me? Right. We need a fenced dog area in Willow Park. My dog is old.',
    /fenced dog area/,
  ],
  ['en', 'I support the night bus. My sister in Leeds says hello.', /support the night bus/],
  [
    'nl',
    'Ik heb twee honden en ik vind dat er een losloopveld voor honden in het park moet komen. Nu lopen we langs de weg.',
    /losloopveld/,
  ],
  [
    'nl',
    'Na twaalf uur rijdt er geen bus meer naar de wijk. Ik wil graag dat de nachtbus elk weekend rijdt.',
    /nachtbus/,
  ],
  ['fr', 'Vous m’entendez ? Je suis pour le bus de nuit. Mon fils travaille tard.', /pour le bus de nuit/],
  ['es', '¿Me oyen? Rechazo el nuevo aparcamiento. Mi vecino dice lo mismo.', /Rechazo/],
  ['es', 'Estoy a favor del autobús nocturno. Perdón por el desahogo.', /a favor del autobús/],
]
for (const [language, text, first] of STATEMENTS)
  test(`${language}: the wish or objection comes first: ${text}`, async () => {
    const { title, points } = await summaryOf(text, language)
    assert.match(title, first)
    assert.match(points[0]?.text ?? '', first)
  })
