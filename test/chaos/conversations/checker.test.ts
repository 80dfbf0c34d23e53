import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { seededRandom } from '../framework/random.ts'
import { check } from './checker.ts'
import type { Evidence, StoredConversation, StoredReport } from './evidence.ts'
import type { Session } from './participant.ts'
import { newRecording } from './recording.ts'

const recording = newRecording('1', 3, false, seededRandom('checker'))
const erasedRecording = newRecording('2', 3, false, seededRandom('checker'))
const TEXTS = ['Note 1 number 0.', 'Note 1 number 1.']
const session: Session = {
  recording,
  upload: 'chunks',
  texts: TEXTS,
  ending: 'finish',
  id: 'kept',
  token: 't',
  isOver: true,
}
const SESSIONS: Session[] = [
  session,
  { ...session, ending: 'withdraw', id: 'erased', recording: erasedRecording, texts: ['Note 2 number 0.'] },
]

const event = (type: string, more: object = {}) => ({
  type: `conversation.${type}`,
  revision: 1,
  transcript: type === 'started' ? null : [...recording.lines, ...TEXTS].join('\n'),
  ...more,
})

const newKept = (): StoredConversation => ({
  id: 'kept',
  status: 'done',
  failure: null,
  revision: 1,
  summary: {},
  audio: {},
  deleted_at: null,
  erased_at: null,
  chunks: recording.chunks.map(({ digest }, seq) => ({ seq, digest, state: 'transcribed' })),
  lines: [...recording.lines],
  texts: [...TEXTS],
  events: [event('started'), event('transcribed'), event('summarized')],
})

const newErased = (): StoredConversation => ({
  ...newKept(),
  id: 'erased',
  deleted_at: 'then',
  erased_at: 'then',
  chunks: [],
  lines: [],
  texts: [],
  summary: null,
  events: [event('started', { revision: null }), event('erased', { revision: null, transcript: null })],
})

const newReport = (): StoredReport => ({
  id: 'report',
  status: 'ready',
  failure: null,
  document: JSON.stringify(recording.lines),
  events: ['report.generated'],
})

const fileName = (seq: number): string => `${seq}-${recording.chunks[seq]?.digest.slice(0, 32)}`

interface Stored extends Evidence {
  kept: StoredConversation
  erased: StoredConversation
  report: StoredReport
  /** The files of the kept conversation. */
  keptFiles: Map<string, Buffer>
}

function violationsAfter(change: (stored: Stored) => unknown): string[] {
  const [kept, erased, report] = [newKept(), newErased(), newReport()]
  const keptFiles = new Map([
    ['whole-1', Buffer.from('all')],
    ...recording.chunks.map(({ bytes }, seq): [string, Buffer] => [fileName(seq), bytes]),
  ])
  const conversations = new Map(Object.entries({ kept, erased }))
  const evidence: Evidence = { conversations, files: new Map([['kept', keptFiles]]), reports: [report] }
  change({ ...evidence, kept, erased, report, keptFiles })
  return Object.keys(check(SESSIONS, ['report'], evidence).violations).sort()
}

describe('checker of the conversations scenario', () => {
  const x = Buffer.from('x')
  const setTranscript =
    (transcript: string) =>
    ({ kept }: Stored) =>
      Object.assign(kept.events[1] ?? {}, { transcript })

  /** By the violations that the checker must find. */
  const cases: Record<string, Record<string, (stored: Stored) => unknown>> = {
    '': { 'in correct evidence': () => {} },
    'chunk without its file': { 'a lost file': ({ keptFiles }) => keptFiles.delete(fileName(1)) },
    'different bytes': { 'a changed byte': ({ keptFiles }) => keptFiles.set(fileName(2), x) },
    'unexpected file': { 'an unexpected file': ({ keptFiles }) => keptFiles.set('1-ff', x) },
    'audio not joined': { 'audio that was not joined': ({ keptFiles }) => keptFiles.delete('whole-1') },
    'chunk without its row, wrong number of chunks': { 'a lost row': ({ kept }) => kept.chunks.pop() },
    'chunk not transcribed': {
      'a chunk that failed': ({ kept }) => Object.assign(kept.chunks[1] ?? {}, { state: 'failed' }),
    },
    'wrong transcript': {
      'a lost line': ({ kept }) => kept.lines.pop(),
      'lines in another order': ({ kept }) => kept.lines.reverse(),
    },
    'wrong text entries': {
      'a lost text entry': ({ kept }) => kept.texts.pop(),
      'a duplicate text entry': ({ kept }) => kept.texts.push('Note 1 number 1.'),
    },
    'wrong transcript in an event': {
      'an event without the text entries': setTranscript(recording.lines.join('\n')),
      'an event with a part of the transcript': setTranscript('Talk'),
    },
    'missing or duplicate event': {
      'a lost event': ({ kept }) => kept.events.pop(),
      'a duplicate event': ({ kept }) => kept.events.push(event('summarized')),
    },
    'wrong revision, wrong revision in an event': {
      'a revision that increased': ({ kept }) =>
        Object.assign(kept, { revision: 2, events: kept.events.map((one) => ({ ...one, revision: 2 })) }),
    },
    'not done': {
      'an unfinished conversation': ({ kept }) => Object.assign(kept, { status: 'summarizing' }),
    },
    'conversation lost': { 'a lost conversation': ({ conversations }) => conversations.delete('kept') },
    'orphan with other events': {
      'an orphan with a transcript': ({ conversations }) =>
        conversations.set('other', { ...newKept(), id: 'other' }),
    },
    'not erased': { 'an unfinished erasure': ({ erased }) => Object.assign(erased, { erased_at: null }) },
    'file after erasure': {
      'audio after erasure': ({ files }) => files.set('erased', new Map([['0-aa', x]])),
    },
    'row after erasure': { 'a row after erasure': ({ erased }) => erased.texts.push('Note 2 number 0.') },
    'content after erasure': {
      'a transcript after erasure': ({ erased }) => erased.events.push(event('transcribed')),
      'a report with the words of an erased conversation': ({ report }) =>
        Object.assign(report, { document: erasedRecording.lines[0] }),
    },
    'erasure without its event': { 'an erasure without an event': ({ erased }) => erased.events.pop() },
    'report not ready': {
      'an unfinished report': ({ report }) => Object.assign(report, { status: 'generating' }),
    },
    'missing or duplicate report event': {
      'a duplicate report event': ({ report }) => report.events.push('report.generated'),
    },
    'missing or duplicate report event, report not ready': {
      'a lost report': ({ reports }) => reports.pop(),
    },
    'report without a request': {
      'a report without a request': ({ reports }) => reports.push({ ...newReport(), id: 'other' }),
    },
  }
  for (const [violations, changes] of Object.entries(cases))
    for (const [name, change] of Object.entries(changes))
      it(`finds ${violations === '' ? 'nothing ' : ''}${name}`, () =>
        assert.equal(violationsAfter(change).join(', '), violations))
})
