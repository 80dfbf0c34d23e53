import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReportDraft } from '../../summaries/index.ts'
import type { CollectedSources } from '../generation/collect-sources.ts'
import { nameParticipants } from './name-participants.ts'

const NAMES = ['Anna', null, 'Ben', 'Ben', ...Array<null>(6).fill(null)]
const collected = {
  conversations: NAMES.map((participant_name) => ({ participant_name })),
  sources: NAMES.map((_, at) => ({
    utterances: [{ id: `${at + 1}-a`, start: 0, text: at === 2 ? 'Bus #2 never comes.' : 'More benches.' }],
  })),
} as unknown as CollectedSources

function textOf(text: string, language: string, method: ReportDraft['method'] = 'generative'): string {
  const paragraphs = [{ text, utterances: ['3-a'] }]
  const sections = [{ heading: 'Benches', paragraphs, quotations: [] }]
  const draft: ReportDraft = { method, model: 'a-model', title: 'T', introduction: '', sections }
  return nameParticipants(draft, collected, language).sections[0]?.paragraphs[0]?.text ?? ''
}

const cases: [language: string, written: string, expected: string][] = [
  ['en', '#10 and #1 want benches.', 'Participant 10 and Anna want benches.'],
  ['nl', 'Bankjes zijn #10’s wens.', 'Bankjes zijn Deelnemer 10’s wens.'],
  ['de', '#10 möchte Bänke.', 'Person 10 möchte Bänke.'],
  ['fr', '#10 veut des bancs (#1, #5).', 'Participant 10 veut des bancs (Anna, Participant 5).'],
  ['es', '#10 pide bancos.', 'Participante 10 pide bancos.'],
  ['it', '#10 chiede panchine.', 'Partecipante 10 chiede panchine.'],
  ['en', 'In conversation #1, benches.', 'In conversation (Anna), benches.'],
  ['de', 'In den Gesprächen #5, #6 und #10 …', 'In den Gesprächen (Person 5, Person 6 und Person 10) …'],
  ['en', '#3 and #4 agree.', 'Ben (3) and Ben (4) agree.'],
  // A person said this number, and the report has no eleventh person.
  ['en', 'Bus #2 never comes, nor does #11.', 'Bus #2 never comes, nor does #11.'],
]
for (const [language, written, expected] of cases)
  test(`a model’s “${written}” becomes “${expected}” (${language})`, () =>
    assert.equal(textOf(written, language), expected))

test('sentences of an extract stay as they were said', () =>
  assert.equal(textOf('#10 is my bus.', 'en', 'extractive'), '#10 is my bus.'))
