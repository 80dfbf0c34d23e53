import { clockTime, shownText, type TimeLine } from './time-line.ts'

/** Every text is one line, so none ends a cue or starts a `NOTE` or `STYLE`. Without `<`, `>` and `&` it has no tag, entity or `-->`. */
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

/** SubRip has no escapes. A word joiner keeps players from interpreting `<b>`, `{\an8}` and `\N`, and `-->` as the times of a cue. */
const srtText = (text: string): string =>
  text.replaceAll(WORD_JOINER, '').replace(/[<{\\]|--(?=>)/g, `$&${WORD_JOINER}`)
