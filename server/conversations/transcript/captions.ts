import { clockTime } from './clock-time.ts'
import { shownText, type TimeLine, type TimeLineEntry } from './time-line.ts'

/**
 * WebVTT. Every text is one line, so no blank line ends a cue early and no text takes the position of `NOTE`, `STYLE` or a
 * cue number. Without `<`, `>` and `&` it has no tag, entity or `-->`.
 */
export function toVtt(timeLine: TimeLine): string {
  const cues = timeLine.entries.map((entry, index) => cue(entry, index, '.', vttText))
  return ['WEBVTT\n', ...cues].join('\n')
}

export function toSrt(timeLine: TimeLine): string {
  return timeLine.entries.map((entry, index) => cue(entry, index, ',', srtText)).join('\n')
}

function cue(
  entry: TimeLineEntry,
  index: number,
  fraction: '.' | ',',
  escaped: (text: string) => string,
): string {
  const times = `${clockTime(entry.start_ms, fraction)} --> ${clockTime(entry.end_ms, fraction)}`
  return `${index + 1}\n${times}\n${escaped(shownText(entry))}\n`
}

function vttText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

const WORD_JOINER = '\u2060'

/**
 * SubRip has no escapes, but players interpret `<b>`, `{\an8}`, `\N`, and some take any line with `-->` for cue times.
 * An invisible word joiner after the first character prevents this.
 */
function srtText(text: string): string {
  return text.replaceAll(WORD_JOINER, '').replace(/[<{\\]|--(?=>)/g, `$&${WORD_JOINER}`)
}
