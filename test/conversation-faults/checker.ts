import type { ConversationFound, Evidence, ReportFound } from './evidence.ts'
import type { Story } from './phone.ts'

export interface Verdict {
  finished: number
  withdrawn: number
  chunks: number
  bytes: number
  lines: number
  /** Sent as whole files; written besides. */
  files: number
  texts: number
  reports: number
  /** Begun for a phone that never heard of it: its answer was lost, and it began another one. */
  orphans: number
  /** Each must be empty. */
  violations: Record<string, string[]>
}

const EVENTS = ['conversation.started', 'conversation.summarized', 'conversation.transcribed']

/** Compares what the phones remember with what is there, without any of the service's own code. */
export function judge(stories: readonly Story[], asked: readonly string[], evidence: Evidence): Verdict {
  const violations: Verdict['violations'] = {}
  const complain = (what: string, whom: string) => {
    violations[what] = [...(violations[what] ?? []), whom]
  }
  const told = new Set(stories.map(({ id }) => id))
  for (const story of stories) {
    const found = evidence.conversations.get(story.id ?? '')
    const files = evidence.files.get(story.id ?? '') ?? new Map<string, Buffer>()
    if (!story.isOver || !found) complain('never came to its end', story.id ?? 'without an id')
    else if (story.ending === 'withdraw') checkErased(found, files, complain)
    else checkFinished(story, found, files, complain)
  }
  const orphans = [...evidence.conversations.values()].filter(({ id }) => !told.has(id))
  for (const { id, events } of orphans)
    if (events.map(({ type }) => type).join() !== EVENTS[0]) complain('orphan with other events', id)
  for (const id of asked) checkReport(id, evidence, complain)
  for (const report of evidence.reports) checkContent(report, asked, stories, complain)
  const finished = stories.filter(({ ending }) => ending === 'finish')
  const sent = finished.flatMap(({ recording }) => recording.chunks)
  return {
    finished: finished.length,
    withdrawn: stories.length - finished.length,
    chunks: sent.length,
    bytes: sent.reduce((sum, { bytes }) => sum + bytes.length, 0),
    lines: finished.reduce((sum, { recording }) => sum + recording.lines.length, 0),
    files: finished.reduce(
      (sum, { way, recording }) => sum + (way === 'files' ? recording.chunks.length : 0),
      0,
    ),
    texts: finished.reduce((sum, { texts }) => sum + texts.length, 0),
    reports: asked.length,
    orphans: orphans.length,
    violations,
  }
}

type Complain = (what: string, whom: string) => void
type Files = ReadonlyMap<string, Buffer>

function checkFinished(
  { recording, texts }: Story,
  found: ConversationFound,
  files: Files,
  complain: Complain,
): void {
  const { id, status, failure, revision } = found
  if (status !== 'done' || found.summary === null) complain('not done', `${id}: ${status} ${failure ?? ''}`)
  if (revision !== 1) complain('other revision', `${id}: ${revision}`)
  checkChunks(recording, found, files, complain)
  if (found.lines.join('\n') !== recording.lines.join('\n'))
    complain('other transcript', `${id}: ${found.lines.length} lines of ${recording.lines.length}`)
  if (found.texts.join('\n') !== texts.join('\n'))
    complain('other texts', `${id}: ${found.texts.length} of ${texts.length}`)
  checkEvents(recording.lines, texts, found, complain)
  if (found.audio === null || !files.get('whole-1')?.length) complain('not joined', id)
}

function checkChunks(
  { chunks }: Story['recording'],
  found: ConversationFound,
  files: Files,
  complain: Complain,
): void {
  const { id } = found
  for (const [seq, { bytes, digest }] of chunks.entries()) {
    const file = files.get(`${seq}-${digest.slice(0, 32)}`)
    if (!file) complain('chunk without its file', `${id}/${seq}`)
    else if (!file.equals(bytes)) complain('other bytes', `${id}/${seq}`)
    if (found.chunks[seq]?.seq !== seq || found.chunks[seq]?.digest !== digest)
      complain('chunk without its row', `${id}/${seq}`)
    else if (found.chunks[seq]?.state !== 'transcribed') complain('chunk not heard', `${id}/${seq}`)
  }
  const isKnown = new Set(['whole-1', ...chunks.map(({ digest }, seq) => `${seq}-${digest.slice(0, 32)}`)])
  for (const name of files.keys()) if (!isKnown.has(name)) complain('file that nobody needs', `${id}/${name}`)
  if (found.chunks.length !== chunks.length)
    complain('other number of chunks', `${id}: ${found.chunks.length}`)
}

function checkEvents(
  lines: readonly string[],
  texts: readonly string[],
  { id, events }: ConversationFound,
  complain: Complain,
): void {
  const types = events.map(({ type }) => type).sort()
  if (types.join() !== EVENTS.join()) complain('not each event once', `${id}: ${types.join(', ')}`)
  for (const { type, revision, transcript } of events) {
    if (revision !== 1) complain('event of another revision', `${id}: ${type} ${revision}`)
    if (type !== 'conversation.started' && !tells(transcript ?? '', lines, texts))
      complain('other transcript in an event', `${id}: ${type}`)
  }
}

/** What was said and what was written stand among each other by their times; each in its own order, and nothing else. */
function tells(transcript: string, lines: readonly string[], texts: readonly string[]): boolean {
  const written = new Set(texts)
  const all = transcript.split('\n')
  return (
    all.filter((line) => !written.has(line)).join('\n') === lines.join('\n') &&
    all.filter((line) => written.has(line)).join('\n') === texts.join('\n')
  )
}

function checkReport(id: string, { reports }: Evidence, complain: Complain): void {
  const found = reports.find((report) => report.id === id)
  if (found?.status !== 'ready' || found.document === null)
    complain('report not ready', `${id}: ${found?.status} ${found?.failure ?? ''}`)
  if (found?.events.join() !== 'report.generated')
    complain('report not told once', `${id}: ${found?.events.join(', ')}`)
}

/** Promised, and without a word of whoever withdrew. */
function checkContent(
  { id, document }: ReportFound,
  asked: readonly string[],
  stories: readonly Story[],
  complain: Complain,
): void {
  if (!asked.includes(id)) complain('report that nobody asked for', id)
  for (const { ending, recording, texts } of stories)
    if (ending === 'withdraw' && [...recording.lines, ...texts].some((line) => document?.includes(line)))
      complain('words after an erasure', `report ${id}`)
}

/** Nothing is left but that there was one; and no event was told twice. */
function checkErased(found: ConversationFound, files: Files, complain: Complain): void {
  const { id, events } = found
  if (found.erased_at === null) complain('not erased', id)
  if (files.size > 0) complain('file after an erasure', `${id}: ${[...files.keys()].join(', ')}`)
  if (found.chunks.length + found.lines.length + found.texts.length > 0 || found.summary !== null)
    complain('row after an erasure', id)
  if (events.some(({ transcript }) => transcript !== null)) complain('words after an erasure', id)
  if (new Set(events.map(({ type }) => type)).size !== events.length) complain('not each event once', id)
  if (!events.some(({ type }) => type === 'conversation.erased')) complain('erasure without its event', id)
}
