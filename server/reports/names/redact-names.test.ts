import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleReport } from '../render/testing/sample.ts'
import type { StoredDocument } from '../stored-document.ts'
import { redactNames } from './redact-names.ts'

const documentOf = (text: string, participant: string | null): StoredDocument => {
  const source = { conversation_id: 'c', start_ms: 0, text }
  return {
    ...sampleReport({ language: 'en' }),
    own_title: false,
    title: text,
    introduction: text,
    sections: [
      {
        heading: text,
        paragraphs: [{ text, sources: [source] }],
        quotations: [{ text, source }, { erased: true }],
      },
    ],
    conversations: [{ id: 'c', title: text, participant, started_at: '2026-01-01T00:00:00Z' }],
  }
}

const redacted = (text: string, participant: string | null = null): string | undefined => {
  const [quotation] = redactNames(documentOf(text, participant)).sections[0]?.quotations ?? []
  return quotation && 'text' in quotation ? quotation.text : undefined
}

const cases: [said: string, shown: string, participant?: string][] = [
  ['I asked Mrs Okafor about it.', 'I asked Mrs [name] about it.'],
  ['Mr. Van Dijk from the council was rude.', 'Mr. [name] from the council was rude.'],
  ['My neighbour Petra Schmidt plays the drums.', 'My neighbour [name] plays the drums.'],
  ['Meine Nachbarin Petra spielt Trommel.', 'Meine Nachbarin [name] spielt Trommel.'],
  ['Das hat Herr Özdemir im Rathaus gesagt.', 'Das hat Herr [name] im Rathaus gesagt.'],
  ['Mijn buurvrouw Fatima van den Berg helpt mij.', 'Mijn buurvrouw [name] helpt mij.'],
  ['Ik sprak mevrouw Okafor en meneer Jansen.', 'Ik sprak mevrouw [name] en meneer [name].'],
  ['Mevrouw Okafor woont hier.', 'Mevrouw [name] woont hier.'],
  ['La señora García y don Ernesto viven aquí.', 'La señora [name] y don [name] viven aquí.'],
  ['J’ai parlé à monsieur Lefèvre.', 'J’ai parlé à monsieur [name].'],
  ['Ho parlato con la signora Rossi.', 'Ho parlato con la signora [name].'],
  ['Hello, I’m Derek and I live here.', 'Hello, I’m [name] and I live here.'],
  ['Meneer, dit kan beter.', 'Meneer, dit kan beter.'],
  ['Je m’appelle Aïcha et j’habite ici.', 'Je m’appelle [name] et j’habite ici.'],
  ['Mi vecino Juan toca el piano.', 'Mi vecino [name] toca el piano.'],
  ['Hello, my name is Tom.', 'Hello, my name is [name].'],
  ['I am Maria and I like Canal Street.', 'I am [name] and I like Canal Street.', 'Maria Kowalska'],
  ['Kowalska is my surname.', '[name] is my surname.', 'Maria Kowalska'],
  ['I am Sam Whitcombe.', 'I am [name].', 'Sam'],
  ['Hello, this is Sam van der Berg here.', 'Hello, this is [name] here.', 'Sam'],
  ['Sam Whitcombe-Hughes said it on Canal Street.', '[name] said it on Canal Street.', 'Sam'],
  ['Ik ben Sam de Vries en ik wil een bankje.', 'Ik ben [name] en ik wil een bankje.', 'Sam'],
  ['Ich bin Sam Weber und will eine Bank.', 'Ich bin [name] und will eine Bank.', 'Sam'],
  ['Je suis Sam Lefèvre, artisan.', 'Je suis [name], artisan.', 'Sam'],
  ['Soy Sam García.', 'Soy [name].', 'Sam'],
  ['Sono Sam Rossi.', 'Sono [name].', 'Sam'],
  ['I am Samuel Whitcombe.', 'I am [name].', 'Whitcombe'],
  ['I told Sam. Canal Street is loud.', 'I told [name]. Canal Street is loud.', 'Sam'],
  ['Canal Street in Bridgeford is loud.', 'Canal Street in Bridgeford is loud.', 'Maria Kowalska'],
  ['My neighbour thinks that the park is fine.', 'My neighbour thinks that the park is fine.'],
  ['Unsere Nachbarn feiern viel.', 'Unsere Nachbarn feiern viel.'],
]
for (const [said, shown, participant] of cases)
  test(`shows “${said}” as “${shown}”`, () => assert.equal(redacted(said, participant), shown))

test('a German noun after a name stays, unless someone introduces themselves', () => {
  const document = documentOf('Gestern hat Sam Bänke gebaut. Ich bin Sam Weber.', 'Sam')
  assert.equal(
    redactNames({ ...document, language: 'de' }).introduction,
    'Gestern hat [Name] Bänke gebaut. Ich bin [Name].',
  )
})

test('hides names in every generated text, but not in a title that a host has chosen', () => {
  const document = documentOf('Mrs Okafor was here.', null)
  const { title, introduction, sections } = redactNames(document)
  assert.doesNotMatch(JSON.stringify([title, introduction, sections]), /Okafor/)
  assert.match(redactNames({ ...document, own_title: true }).title, /Okafor/)
})

test('hides contact details in every generated text', () => {
  const said = 'Write to anna@example.org, call 06-12345678, or come to Kerkstraat 12.'
  const { title, introduction, sections } = redactNames(documentOf(said, null))
  const shown = JSON.stringify([title, introduction, sections])
  assert.doesNotMatch(shown, /example|12/)
  assert.equal(redacted(said), 'Write to [e-mail], call [phone number], or come to [address].')
})
