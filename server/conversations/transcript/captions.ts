import { clockTime, shownText, type TimeLine } from './time-line.ts'

/**
 * WebVTT. Every text is one line, so no blank line ends a cue early and no text takes the position of `NOTE`, `STYLE` or a
 * cue number. Without `<`, `>` and `&` it has no tag, entity or `-->`.
 */
export const toVtt = (timeLine: TimeLine): string =>
  ['WEBVTT\n', ...cuesOf(timeLine, '.', vttText)].join('\n')

export const toSrt = (timeLine: TimeLine): string => cuesOf(timeLine, ',', srtText).join('\n')

const cuesOf = ({ entries }: TimeLine, fraction: '.' | ',', escaped: (text: string) => string): string[] =>
  entries.map((entry, index) => {
    const times = `${clockTime(entry.start_ms, fraction)} --> ${clockTime(entry.end_ms, fraction)}`
    return `${index + 1}\n${times}\n${escaped(shownText(entry))}\n`
  })

const vttText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const WORD_JOINER = '\u2060'

/**
 * SubRip has no escapes, but players interpret `<b>`, `{\an8}`, `\N`, and some take any line with `-->` for cue times.
 * An invisible word joiner after the first character prevents this.
 */
const srtText = (text: string): string =>
  text.replaceAll(WORD_JOINER, '').replace(/[<{\\]|--(?=>)/g, `$&${WORD_JOINER}`)
