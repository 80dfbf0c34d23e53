import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { seeded } from '../faults/random.ts'
import { judge } from './checker.ts'
import type { ConversationFound, Evidence } from './evidence.ts'
import type { Story } from './phone.ts'
import { newRecording } from './recording.ts'

const recording = newRecording('1', 3, false, seeded('checker'))
const transcript = recording.lines.join('\n')
const story = (ending: Story['ending'], id: string): Story => ({
  recording,
  ending,
  id,
  token: 't',
  isOver: true,
})
const STORIES = [story('finish', 'kept'), story('withdraw', 'gone')]

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
  events: [event('started'), event('transcribed'), event('summarized')],
})

const gone = (): ConversationFound => ({
  ...kept(),
  id: 'gone',
  deleted_at: 'then',
  erased_at: 'then',
  chunks: [],
  lines: [],
  summary: null,
  events: [event('started', { revision: null })],
})

const nameOf = (seq: number): string => `${seq}-${recording.chunks[seq]?.digest.slice(0, 32)}`

interface Room {
  kept: ConversationFound
  gone: ConversationFound
  files: Map<string, Buffer>
  evidence: Evidence
}

function found(change: (room: Room) => void): string[] {
  const room = { kept: kept(), gone: gone() }
  const files = new Map([
    ['whole-1', Buffer.from('all')],
    ...recording.chunks.map(({ bytes }, seq): [string, Buffer] => [nameOf(seq), bytes]),
  ])
  const evidence: Evidence = {
    conversations: new Map(Object.entries(room)),
    files: new Map([['kept', files]]),
  }
  change({ ...room, files, evidence })
  return Object.keys(judge(STORIES, evidence).violations).sort()
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
