import { toSrt, toVtt } from './captions.ts'
import { toMarkdown } from './markdown.ts'
import { clockTime, shownText, type TimeLine } from './time-line.ts'

export const TRANSCRIPT_FORMATS = ['txt', 'md', 'vtt', 'srt', 'json'] as const
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number]

const WRITERS: Record<TranscriptFormat, [mediaType: string, write: (timeLine: TimeLine) => string]> = {
  txt: ['text/plain', toText],
  md: ['text/markdown', toMarkdown],
  vtt: ['text/vtt', toVtt],
  srt: ['application/x-subrip', toSrt],
  json: ['application/json', (timeLine) => `${JSON.stringify(timeLine, null, 2)}\n`],
}

export function transcriptAs(
  format: TranscriptFormat,
  timeLine: TimeLine,
): { contentType: string; body: string } {
  const [mediaType, write] = WRITERS[format]
  return { contentType: `${mediaType}; charset=utf-8`, body: write(timeLine) }
}

/** Each line starts with a label or a time, so that spreadsheets find no formula (`=`, `+`, `-`, `@` at the start of a line). */
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
