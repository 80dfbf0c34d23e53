import type { Row, Violations } from '../framework/chaos-run.ts'
import type { Evidence, StoredConversation } from './evidence.ts'
import type { Session } from './participant.ts'

const EVENTS = ['conversation.started', 'conversation.summarized', 'conversation.transcribed']

type Files = ReadonlyMap<string, Buffer>
type Complain = (violation: string, example: string) => void

/** Compares what participants sent with what is stored, without any code of the service. */
export function check(
  sessions: readonly Session[],
  acceptedReports: readonly string[],
  evidence: Evidence,
): { rows: Row[]; violations: Violations } {
  const violations: Violations = {}
  const complain: Complain = (violation, example) => {
    violations[violation] = [...(violations[violation] ?? []), example]
  }
  for (const session of sessions) {
    const stored = evidence.conversations.get(session.id ?? '')
    const files = evidence.files.get(session.id ?? '') ?? new Map<string, Buffer>()
    if (!session.isOver || !stored) complain('conversation lost', session.id ?? 'without an id')
    else if (session.ending === 'withdraw') checkErased(stored, files, complain)
    else checkFinished(session, stored, files, complain)
  }
  // The response to their start was lost, so that the participant started another conversation.
  const known = new Set(sessions.map(({ id }) => id))
  const orphans = [...evidence.conversations.values()].filter(({ id }) => !known.has(id))
  for (const { id, events } of orphans)
    if (events.map(({ type }) => type).join() !== EVENTS[0]) complain('orphan with other events', id)
  checkReports(sessions, acceptedReports, evidence, complain)
  const { finish = [], withdraw = [] } = Object.groupBy(sessions, ({ ending }) => ending)
  const sum = (count: (session: Session) => number) =>
    finish.reduce((total, session) => total + count(session), 0)
  const chunks = sum(({ recording }) => recording.chunks.length)
  const bytes = sum(({ recording }) => Buffer.concat(recording.chunks.map((chunk) => chunk.bytes)).length)
  const lines = sum(({ recording }) => recording.lines.length)
  const files = sum(({ upload, recording }) => (upload === 'files' ? recording.chunks.length : 0))
  const texts = sum((session) => session.texts.length)
  const rows: Row[] = [
    ['conversations finished, withdrawn', `${finish.length}, ${withdraw.length}`],
    ['  started without a confirmed response', orphans.length],
    ['chunks, bytes, lines', `${chunks}, ${bytes}, ${lines}`],
    ['whole files, text entries, reports', `${files}, ${texts}, ${acceptedReports.length}`],
  ]
  return { rows, violations }
}

function checkFinished(
  { recording, texts }: Session,
  stored: StoredConversation,
  files: Files,
  complain: Complain,
): void {
  const { id, status, failure, revision } = stored
  if (status !== 'done' || stored.summary === null) complain('not done', `${id}: ${status} ${failure ?? ''}`)
  if (revision !== 1) complain('wrong revision', `${id}: ${revision}`)
  checkChunks(recording, stored, files, complain)
  if (stored.lines.join('\n') !== recording.lines.join('\n'))
    complain('wrong transcript', `${id}: ${stored.lines.length} lines of ${recording.lines.length}`)
  if (stored.texts.join('\n') !== texts.join('\n'))
    complain('wrong text entries', `${id}: ${stored.texts.length} of ${texts.length}`)
  checkEvents(recording.lines, texts, stored, complain)
  if (stored.audio === null || !files.get('whole-1')?.length) complain('audio not joined', id)
}

function checkChunks(
  { chunks }: Session['recording'],
  { id, chunks: rows }: StoredConversation,
  files: Files,
  complain: Complain,
): void {
  const names = chunks.map(({ digest }, seq) => `${seq}-${digest.slice(0, 32)}`)
  for (const [seq, { bytes, digest }] of chunks.entries()) {
    const file = files.get(names[seq] ?? '')
    const row = rows[seq]
    if (!file) complain('chunk without its file', `${id}/${seq}`)
    else if (!file.equals(bytes)) complain('different bytes', `${id}/${seq}`)
    if (row?.seq !== seq || row.digest !== digest) complain('chunk without its row', `${id}/${seq}`)
    else if (row.state !== 'transcribed') complain('chunk not transcribed', `${id}/${seq}`)
  }
  for (const name of files.keys())
    if (name !== 'whole-1' && !names.includes(name)) complain('unexpected file', `${id}/${name}`)
  if (rows.length !== chunks.length) complain('wrong number of chunks', `${id}: ${rows.length}`)
}

function checkEvents(
  lines: readonly string[],
  texts: readonly string[],
  { id, events }: StoredConversation,
  complain: Complain,
): void {
  const types = events.map(({ type }) => type).sort()
  if (types.join() !== EVENTS.join()) complain('missing or duplicate event', `${id}: ${types.join(', ')}`)
  for (const { type, revision, transcript } of events) {
    if (revision !== 1) complain('wrong revision in an event', `${id}: ${type} ${revision}`)
    if (type !== 'conversation.started' && !isComplete(transcript ?? '', lines, texts))
      complain('wrong transcript in an event', `${id}: ${type}`)
  }
}

/** Lines and text entries are mixed by their times; each kind keeps its order, and no other text occurs. */
function isComplete(transcript: string, lines: readonly string[], texts: readonly string[]): boolean {
  const all = Map.groupBy(transcript.split('\n'), (line) => texts.includes(line))
  return (
    (all.get(false) ?? []).join('\n') === lines.join('\n') &&
    (all.get(true) ?? []).join('\n') === texts.join('\n')
  )
}

/** Every accepted report is ready, with one event, and without the words of participants who withdrew. */
function checkReports(
  sessions: readonly Session[],
  accepted: readonly string[],
  { reports }: Evidence,
  complain: Complain,
): void {
  for (const id of accepted) {
    const stored = reports.find((report) => report.id === id)
    if (stored?.status !== 'ready' || stored.document === null)
      complain('report not ready', `${id}: ${stored?.status} ${stored?.failure ?? ''}`)
    if (stored?.events.join() !== 'report.generated')
      complain('missing or duplicate report event', `${id}: ${stored?.events.join(', ')}`)
  }
  const withdrawn = sessions.filter(({ ending }) => ending === 'withdraw')
  const erased = withdrawn.flatMap(({ recording, texts }) => [...recording.lines, ...texts])
  for (const { id, document } of reports) {
    if (!accepted.includes(id)) complain('report without a request', id)
    if (erased.some((line) => document?.includes(line))) complain('content after erasure', `report ${id}`)
  }
}

/** Only the fact that the conversation existed is left, and each event once. */
function checkErased(stored: StoredConversation, files: Files, complain: Complain): void {
  const { id, events } = stored
  const types = events.map(({ type }) => type)
  if (stored.erased_at === null) complain('not erased', id)
  if (files.size > 0) complain('file after erasure', `${id}: ${[...files.keys()].join(', ')}`)
  if (stored.chunks.length + stored.lines.length + stored.texts.length > 0 || stored.summary !== null)
    complain('row after erasure', id)
  if (events.some(({ transcript }) => transcript !== null)) complain('content after erasure', id)
  if (new Set(types).size !== types.length) complain('missing or duplicate event', id)
  if (!types.includes('conversation.erased')) complain('erasure without its event', id)
}
