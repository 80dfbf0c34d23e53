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
  /** Of the kept conversation. */
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
  const setTranscript = ({ kept }: Stored, transcript: string) =>
    Object.assign(kept.events[1] ?? {}, { transcript })
  const cases: [name: string, expected: string[], change: (stored: Stored) => unknown][] = [
    ['nothing in correct evidence', [], () => {}],
    ['a lost file', ['chunk without its file'], ({ keptFiles }) => keptFiles.delete(fileName(1))],
    ['a changed byte', ['different bytes'], ({ keptFiles }) => keptFiles.set(fileName(2), x)],
    ['an unexpected file', ['unexpected file'], ({ keptFiles }) => keptFiles.set('1-ff', x)],
    ['audio that was not joined', ['audio not joined'], ({ keptFiles }) => keptFiles.delete('whole-1')],
    ['a lost row', ['chunk without its row', 'wrong number of chunks'], ({ kept }) => kept.chunks.pop()],
    [
      'a chunk that failed',
      ['chunk not transcribed'],
      ({ kept }) => Object.assign(kept.chunks[1] ?? {}, { state: 'failed' }),
    ],
    ['a lost line', ['wrong transcript'], ({ kept }) => kept.lines.pop()],
    ['lines in another order', ['wrong transcript'], ({ kept }) => kept.lines.reverse()],
    ['a lost text entry', ['wrong text entries'], ({ kept }) => kept.texts.pop()],
    ['a duplicate text entry', ['wrong text entries'], ({ kept }) => kept.texts.push('Note 1 number 1.')],
    [
      'an event without the text entries',
      ['wrong transcript in an event'],
      (stored) => setTranscript(stored, recording.lines.join('\n')),
    ],
    [
      'an event with a part of the transcript',
      ['wrong transcript in an event'],
      (stored) => setTranscript(stored, 'Talk'),
    ],
    ['a lost event', ['missing or duplicate event'], ({ kept }) => kept.events.pop()],
    [
      'a duplicate event',
      ['missing or duplicate event'],
      ({ kept }) => kept.events.push(event('summarized')),
    ],
    [
      'a revision that increased',
      ['wrong revision', 'wrong revision in an event'],
      ({ kept }) =>
        Object.assign(kept, { revision: 2, events: kept.events.map((one) => ({ ...one, revision: 2 })) }),
    ],
    [
      'an unfinished conversation',
      ['not done'],
      ({ kept }) => Object.assign(kept, { status: 'summarizing' }),
    ],
    ['a lost conversation', ['conversation lost'], ({ conversations }) => conversations.delete('kept')],
    [
      'an orphan with a transcript',
      ['orphan with other events'],
      ({ conversations }) => conversations.set('other', { ...newKept(), id: 'other' }),
    ],
    ['an unfinished erasure', ['not erased'], ({ erased }) => Object.assign(erased, { erased_at: null })],
    [
      'audio after erasure',
      ['file after erasure'],
      ({ files }) => files.set('erased', new Map([['0-aa', x]])),
    ],
    ['a row after erasure', ['row after erasure'], ({ erased }) => erased.texts.push('Note 2 number 0.')],
    [
      'a transcript after erasure',
      ['content after erasure'],
      ({ erased }) => erased.events.push(event('transcribed')),
    ],
    ['an erasure without an event', ['erasure without its event'], ({ erased }) => erased.events.pop()],
    [
      'an unfinished report',
      ['report not ready'],
      ({ report }) => Object.assign(report, { status: 'generating' }),
    ],
    [
      'a duplicate report event',
      ['missing or duplicate report event'],
      ({ report }) => report.events.push('report.generated'),
    ],
    [
      'a lost report',
      ['missing or duplicate report event', 'report not ready'],
      ({ reports }) => reports.pop(),
    ],
    [
      'a report without a request',
      ['report without a request'],
      ({ reports }) => reports.push({ ...newReport(), id: 'other' }),
    ],
    [
      'a report with the words of an erased conversation',
      ['content after erasure'],
      ({ report }) => Object.assign(report, { document: erasedRecording.lines[0] }),
    ],
  ]
  for (const [name, expected, change] of cases)
    it(`finds ${name}`, () => assert.deepEqual(violationsAfter(change), expected))
})
