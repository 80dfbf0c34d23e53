import type { Db } from '../../../database/database.ts'
import type { FileStore } from '../../../storage/file-store.ts'
import type { ConversationRow } from '../../conversations/index.ts'
import type { ProjectRow } from '../find-file-chunks.ts'
import type { Phrase } from '../overlap.ts'
import { languageOf, languagesOf } from '../transcribe-chunk.ts'
import type { Segment, Transcriber } from '../transcriber.ts'
import { withFiles } from '../with-files.ts'
import type { Part, TimeAxis } from './time-axis.ts'

interface Context {
  db: Db
  files: FileStore
  transcriber: Transcriber
  conversation: ConversationRow
  project: ProjectRow
  /** Detected in the part before; null: none. */
  detected: string | null
  signal: AbortSignal
}

/** Transcribes a part by the better model, with times on the axis. Null if a file cannot be decoded without a missing chunk. */
export async function transcribePart(
  { db, files, transcriber, conversation, project, detected, signal }: Context,
  { starts }: TimeAxis,
  part: Part,
): Promise<Phrase[] | null> {
  const startsOfFiles = part.files.map((file) => starts.get(file[0]?.seq ?? -1) ?? 0)
  const fileStart = startsOfFiles.at(-1) ?? 0
  const secondsInto = (n: number): number => Math.max(0, part.start - (startsOfFiles[n] ?? 0)) / 1000
  return await withFiles({ db, files }, part.files, async (lent) => {
    const readable = lent.flatMap((file) => file ?? [])
    const own = readable.at(-1)
    if (!own || readable.length < lent.length) return null
    const { segments } = await transcriber.transcribe({
      path: own.path,
      container: own.container,
      language: languageOf(conversation, project) ?? detected,
      isChosen: conversation.language !== null,
      candidates: languagesOf(project),
      hotwords: project.hotwords,
      from: secondsInto(lent.length - 1),
      until: (part.end - fileStart) / 1000,
      preRoll: readable
        .slice(0, -1)
        .map(({ path, container }, n) => ({ path, container, from: secondsInto(n) })),
      quality: 'best',
      signal,
    })
    return segments.flatMap((segment) => within(part, onAxis(segment, fileStart)))
  })
}

function onAxis({ words, ...segment }: Segment, fileStart: number): Phrase {
  const inMs = <T extends { start: number; end: number }>(timed: T): T => ({
    ...timed,
    start: fileStart + Math.round(timed.start * 1000),
    end: fileStart + Math.round(timed.end * 1000),
  })
  return { ...inMs(segment), ...(words && { words: words.map(inMs) }) }
}

/** Engines round times: a phrase at the end of a part does not reach into the next. */
function within({ start, end }: Part, phrase: Phrase): Phrase[] {
  const clamp = (ms: number): number => Math.min(end, Math.max(start, ms))
  return phrase.text.trim() === '' ? [] : [{ ...phrase, start: clamp(phrase.start), end: clamp(phrase.end) }]
}
