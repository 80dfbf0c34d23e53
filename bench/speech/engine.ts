import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { createEmbeddedTranscriber } from '../../speech/index.ts'
import type { Segment } from '../../speech/types.ts'
import { type Recording, requestFor } from './recordings.ts'
import { spokenWords } from './word-errors.ts'

/** Of /proc/PID/stat. */
const TICKS_PER_SECOND = 100
const UNCLEAR = '[unclear]'

const textOf = (segments: readonly Segment[]): string => segments.map(({ text }) => text).join(' ')

/** Words, without marks for speech that was not understood. */
export const wordsOf = (segments: readonly Segment[]): string[] =>
  spokenWords(textOf(segments).replaceAll(UNCLEAR, ' '))

/** The engine of this checkout or, for comparison, of another one. */
export async function openEngine(checkout: string, model: string) {
  const path = resolve(checkout, 'speech/index.ts')
  const speech = (await import(path)) as { createEmbeddedTranscriber: typeof createEmbeddedTranscriber }
  const engine = speech.createEmbeddedTranscriber({ model: model as 'base', concurrency: 1 })
  const worker = (file: string): string => readFileSync(`/proc/${engine.pids[0]}/${file}`, 'utf8')
  return {
    /** Engines that do not name the language of a segment name that of the recording. */
    async transcribe(recording: Recording, language: string | null, candidates: string[] = []) {
      const request = { ...requestFor(recording, language), candidates }
      const { segments, language: detected } = await engine.transcribe(request)
      return segments.map((segment) => ({
        ...segment,
        language: segment.language ?? detected ?? language ?? '',
      }))
    },
    /** CPU seconds of the worker since its start. */
    cpuSeconds(): number {
      const fields = worker('stat').split(') ')[1]?.split(' ') ?? []
      return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
    },
    peakMemoryMib: (): number => Math.round(Number(/VmHWM:\s+(\d+)/.exec(worker('status'))?.[1] ?? 0) / 1024),
    close: () => engine.close(),
  }
}

export type MeasuredEngine = Awaited<ReturnType<typeof openEngine>>
