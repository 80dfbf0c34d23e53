import { clockTime } from './clock-time.ts'
import { shownText, type TimeLine, type TimeLineEntry } from './time-line.ts'

/** Every entry is a paragraph that begins with its time, so what was said never begins a line: no heading, list, table or fence. */
export function toMarkdown(timeLine: TimeLine): string {
  const facts = [
    timeLine.participant && `- Participant: ${escapeMarkdown(timeLine.participant)}`,
    timeLine.language && `- Language: ${escapeMarkdown(timeLine.language)}`,
    `- Started: ${escapeMarkdown(timeLine.started_at)}`,
  ].filter(Boolean)
  const blocks = [`# ${escapeMarkdown(timeLine.title)}`, facts.join('\n'), ...timeLine.entries.map(paragraph)]
  return `${blocks.join('\n\n')}\n`
}

function paragraph(entry: TimeLineEntry): string {
  const text = escapeMarkdown(shownText(entry))
  return `**${clockTime(entry.start_ms)}** ${entry.kind === 'missing' ? `*${text}*` : text}`
}

/**
 * Inside a line CommonMark and GFM give a meaning to these: escapes, code, emphasis, links, images and notes, HTML and
 * autolinks, a heading's closing `#`, tables, strikethrough, entities, mail addresses; and common extensions to formulas
 * (`$`) and templates (`{`). `://` and `www.` are what GFM makes links of.
 */
const SPECIAL = /[\\`*_{}[\]<>#|~&$@]|:(?=\/\/)|(?<=www)\./gi

/** Renders as the very text. A renderer that links bare mail addresses after parsing may still do so: the link leads where it reads. */
export function escapeMarkdown(text: string): string {
  return text.replace(SPECIAL, '\\$&')
}
