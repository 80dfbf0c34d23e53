import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { seeded } from '../faults/random.ts'
import { judge } from './checker.ts'
import type { ConversationFound, Evidence, ReportFound } from './evidence.ts'
import type { Story } from './phone.ts'
import { newRecording } from './recording.ts'

const recording = newRecording('1', 3, false, seeded('checker'))
const TEXTS = ['Note 1 number 0.', 'Note 1 number 1.']
const transcript = [...recording.lines, ...TEXTS].join('\n')
const story = (ending: Story['ending'], id: string): Story => ({
  recording,
  way: 'chunks',
  texts: TEXTS,
  ending,
  id,
  token: 't',
  isOver: true,
})
const erased = newRecording('2', 3, false, seeded('checker'))
const STORIES = [
  story('finish', 'kept'),
  { ...story('withdraw', 'gone'), recording: erased, texts: ['Note 2 number 0.'] },
]

const event = (type: string, more: Partial<ConversationFound['events'][number]> = {}) => ({
  type: `conversation.${type}`,
  revision: 1,
  transcript: type === 'started' ? null : transcript,
  ...more,
})

const kept = (): ConversationFound => ({
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

const gone = (): ConversationFound => ({
  ...kept(),
  id: 'gone',
  deleted_at: 'then',
  erased_at: 'then',
  chunks: [],
  lines: [],
  texts: [],
  summary: null,
  events: [event('started', { revision: null }), event('erased', { revision: null, transcript: null })],
})

const nameOf = (seq: number): string => `${seq}-${recording.chunks[seq]?.digest.slice(0, 32)}`

interface Room {
  kept: ConversationFound
  gone: ConversationFound
  files: Map<string, Buffer>
  report: ReportFound
  evidence: Evidence
}

const ready = (): ReportFound => ({
  id: 'report',
  status: 'ready',
  failure: null,
  document: JSON.stringify(kept().lines),
  events: ['report.generated'],
})

function found(change: (room: Room) => void): string[] {
  const room = { kept: kept(), gone: gone() }
  const report = ready()
  const files = new Map([
    ['whole-1', Buffer.from('all')],
    ...recording.chunks.map(({ bytes }, seq): [string, Buffer] => [nameOf(seq), bytes]),
  ])
  const evidence: Evidence = {
    conversations: new Map(Object.entries(room)),
    files: new Map([['kept', files]]),
    reports: [report],
  }
  change({ ...room, files, report, evidence })
  return Object.keys(judge(STORIES, ['report'], evidence).violations).sort()
}

describe('the checker of conversations', () => {
  const cases: [name: string, expected: string[], change: (room: Room) => void][] = [
    ['nothing where all is well', [], () => {}],
    ['a file that is lost', ['chunk without its file'], ({ files }) => files.delete(nameOf(1))],
    ['a byte that changed', ['other bytes'], ({ files }) => files.set(nameOf(2), Buffer.from('x'))],
    [
      'a file that nobody needs',
      ['file that nobody needs'],
      ({ files }) => files.set('1-ff', Buffer.from('x')),
    ],
    ['audio that was never joined', ['not joined'], ({ files }) => files.delete('whole-1')],
    [
      'a row that is lost',
      ['chunk without its row', 'other number of chunks'],
      ({ kept }) => void kept.chunks.pop(),
    ],
    [
      'a chunk given up',
      ['chunk not heard'],
      ({ kept }) => Object.assign(kept.chunks[1] ?? {}, { state: 'failed' }),
    ],
    ['a word that is lost', ['other transcript'], ({ kept }) => void kept.lines.pop()],
    ['words in another order', ['other transcript'], ({ kept }) => void kept.lines.reverse()],
    ['a text that is lost', ['other texts'], ({ kept }) => void kept.texts.pop()],
    ['a text written twice', ['other texts'], ({ kept }) => void kept.texts.push('Note 1 number 1.')],
    [
      'an event without a text',
      ['other transcript in an event'],
      ({ kept }) => Object.assign(kept.events[1] ?? {}, { transcript: recording.lines.join('\n') }),
    ],
    [
      'a report that hangs',
      ['report not ready'],
      ({ report }) => Object.assign(report, { status: 'generating' }),
    ],
    [
      'a report told twice',
      ['report not told once'],
      ({ report }) => void report.events.push('report.generated'),
    ],
    [
      'a report that is lost',
      ['report not ready', 'report not told once'],
      ({ evidence }) => void evidence.reports.pop(),
    ],
    [
      'a report that nobody asked for',
      ['report that nobody asked for'],
      ({ evidence }) => void evidence.reports.push({ ...ready(), id: 'other' }),
    ],
    [
      'a report with the words of an erased one',
      ['words after an erasure'],
      ({ report }) => Object.assign(report, { document: erased.lines[0] }),
    ],
    ['an event that is lost', ['not each event once'], ({ kept }) => void kept.events.pop()],
    [
      'an event told twice',
      ['not each event once'],
      ({ kept }) => void kept.events.push(event('summarized')),
    ],
    [
      'an event with half the words',
      ['other transcript in an event'],
      ({ kept }) => Object.assign(kept.events[1] ?? {}, { transcript: 'Talk' }),
    ],
    [
      'a revision that grew',
      ['event of another revision', 'other revision'],
      ({ kept }) =>
        Object.assign(kept, { revision: 2, events: kept.events.map((one) => ({ ...one, revision: 2 })) }),
    ],
    ['a conversation that hangs', ['not done'], ({ kept }) => Object.assign(kept, { status: 'summarizing' })],
    [
      'a conversation that is lost',
      ['never came to its end'],
      ({ evidence }) => evidence.conversations.delete('kept'),
    ],
    ['an erasure that hangs', ['not erased'], ({ gone }) => Object.assign(gone, { erased_at: null })],
    [
      'audio after an erasure',
      ['file after an erasure'],
      ({ evidence }) => evidence.files.set('gone', new Map([['0-aa', Buffer.from('x')]])),
    ],
    [
      'an erasure that the feed does not show',
      ['erasure without its event'],
      ({ gone }) => void gone.events.pop(),
    ],
    [
      'words after an erasure',
      ['words after an erasure'],
      ({ gone }) => void gone.events.push(event('transcribed')),
    ],
    [
      'an orphan with a transcript',
      ['orphan with other events'],
      ({ evidence }) => evidence.conversations.set('other', { ...kept(), id: 'other' }),
    ],
  ]
  for (const [name, expected, change] of cases)
    it(`finds ${name}`, () => assert.deepEqual(found(change), expected))
})
