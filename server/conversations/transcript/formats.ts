import { toSrt, toVtt } from './captions.ts'
import { clockTime } from './clock-time.ts'
import { toMarkdown } from './markdown.ts'
import { shownText, type TimeLine } from './time-line.ts'

export const TRANSCRIPT_FORMATS = ['txt', 'md', 'vtt', 'srt', 'json'] as const
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number]

interface Writer {
  contentType: string
  write(timeLine: TimeLine): string
}

const writers: Record<TranscriptFormat, Writer> = {
  txt: { contentType: 'text/plain; charset=utf-8', write: toText },
  md: { contentType: 'text/markdown; charset=utf-8', write: toMarkdown },
  vtt: { contentType: 'text/vtt; charset=utf-8', write: toVtt },
  srt: { contentType: 'application/x-subrip; charset=utf-8', write: toSrt },
  json: { contentType: 'application/json; charset=utf-8', write: toJson },
}

export function transcriptAs(
  format: TranscriptFormat,
  timeLine: TimeLine,
): { contentType: string; body: string } {
  const { contentType, write } = writers[format]
  return { contentType, body: write(timeLine) }
}

/**
 * Each line starts with a label or a time, so that spreadsheets find no formula (`=`, `+`, `-`, `@` at the start of a
 * line) and texts stay unchanged.
 */
function toText(timeLine: TimeLine): string {
  const head = [
    `Title: ${timeLine.title}`,
    timeLine.participant && `Participant: ${timeLine.participant}`,
    timeLine.language && `Language: ${timeLine.language}`,
    `Started: ${timeLine.started_at}`,
  ].filter(Boolean)
  const lines = timeLine.entries.map((entry) => `[${clockTime(entry.start_ms)}] ${shownText(entry)}`)
  return `${[...head, '', ...lines].join('\n')}\n`
}

function toJson(timeLine: TimeLine): string {
  return `${JSON.stringify(timeLine, null, 2)}\n`
}
