import { readFile } from 'node:fs/promises'
import { EngineFailure, RETRYABLE } from '../../server/engines/engine-failure.ts'
import type { Summarizer } from '../../server/summaries/index.ts'
import { EXTRACTIVE } from '../../server/summaries/summarizer.ts'
import type { Transcriber } from '../../server/transcription/index.ts'
import type { Segment, TranscribeRequest } from '../../server/transcription/transcriber.ts'
import { wavHead } from './wav.ts'

/** A silent WAV with its text in a LIST chunk, for a scripted engine. */
export function wavOf(text: string, seconds = 1): Buffer {
  const data = Buffer.alloc(16_000 * 2 * seconds)
  const note = Buffer.from(text)
  const words = Buffer.concat([note, Buffer.alloc(note.length % 2)])
  const list = Buffer.concat([Buffer.from('LIST____NOTE'), words])
  list.writeUInt32LE(words.length + 4, 4)
  const head = wavHead({ rate: 16_000, bits: 16, dataBytes: data.length })
  head.writeUInt32LE(36 + data.length + list.length, 4)
  return Buffer.concat([head, data, list])
}

export interface ScriptedTranscriber extends Transcriber {
  /** The requests so far, in order. */
  readonly requests: Pick<TranscribeRequest, 'language' | 'candidates' | 'hotwords' | 'from'>[]
  /** The next requests wait until the returned function is called. */
  hold(): () => void
}

/**
 * Transcribes the text of `wavOf`, one segment per line. Other fields of a segment precede it: `@{"speaker": "A"} text`. A line `!code` makes it fail with that code, `!code unless nl` only for
 * other languages, `!dies` with an unexpected error, `!retry-later` like a server whose Retry-After is one hour.
 */
export function scriptedTranscriber(): ScriptedTranscriber {
  const requests: ScriptedTranscriber['requests'] = []
  let gate: Promise<void> = Promise.resolve()
  return {
    requests,
    capabilities: {
      name: 'scripted',
      languages: 'any',
      detectsLanguage: true,
      timestamps: true,
      parts: false,
      preRoll: false,
      hotwords: true,
      retryable: RETRYABLE,
      concurrency: 4,
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return resolve
    },
    async transcribe({ path, language, candidates, hotwords, from, signal }) {
      requests.push({ language, candidates: candidates ?? [], hotwords, from })
      await gate
      signal.throwIfAborted()
      const bytes = await readFile(path)
      const notes = notesIn(bytes)
      const lines = notes.flatMap(({ text }) => text.split('\n').filter((line) => line !== ''))
      const failure = lines.find((line) => line.startsWith('!') && !line.endsWith(` unless ${language}`))
      if (failure === '!dies') throw new Error('a bug')
      if (failure === '!retry-later')
        throw new EngineFailure('unavailable', 'requested by the test', 3_600_000)
      if (failure)
        throw new EngineFailure(failure.slice(1).split(' ')[0] as 'unreadable', 'requested by the test')
      const duration = notes.reduce((sum, { seconds }) => sum + seconds, 0)
      const step = duration / Math.max(1, lines.length)
      const segments = lines
        .map((line, n) => ({ start: n * step, end: (n + 1) * step, ...segmentIn(line) }))
        .filter(({ end }) => end > from)
      return { language: language ?? 'en', duration, isWhole: true, segments }
    },
    close: async () => {},
  }
}

function segmentIn(line: string): Pick<Segment, 'text'> {
  const [, fields = '{}', text = line] = /^@(\{.*\}) (.*)$/.exec(line) ?? []
  return { ...(JSON.parse(fields) as object), text }
}

/** The notes of all WAVs in the bytes, one after the other. */
function notesIn(bytes: Buffer): { text: string; seconds: number }[] {
  const notes: { text: string; seconds: number }[] = []
  for (let at = bytes.indexOf('LIST'); at >= 0; at = bytes.indexOf('LIST', at + 4)) {
    const length = bytes.readUInt32LE(at + 4) - 4
    const text = bytes
      .subarray(at + 12, at + 12 + length)
      .toString()
      .replaceAll('\0', '')
    const dataAt = bytes.lastIndexOf('data', at)
    notes.push({ text, seconds: bytes.readUInt32LE(dataAt + 4) / 32_000 })
  }
  return notes
}

/** The first utterance becomes the title, and each one a point. */
export function scriptedSummarizer(): Summarizer {
  return {
    capabilities: { name: 'scripted' },
    async summarize({ utterances }) {
      if (utterances.some(({ text }) => text === '?unreadable'))
        throw new EngineFailure('unreadable', 'requested by the test')
      return {
        ...EXTRACTIVE,
        title: utterances[0]?.text ?? '',
        points: utterances.map(({ id, text }) => ({ text, utterances: [id] })),
        tags: ['scripted'],
      }
    },
    async report({ title, conversations, onProgress }) {
      onProgress(1)
      return {
        ...EXTRACTIVE,
        title: title ?? 'Report',
        introduction: `${conversations.length}`,
        sections: [],
      }
    },
    close: async () => {},
  }
}

/** Both, for tests that do not inspect them. */
export const scriptedEngines = () => ({
  transcriber: scriptedTranscriber(),
  summarizer: scriptedSummarizer(),
})
