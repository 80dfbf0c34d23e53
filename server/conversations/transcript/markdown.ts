import { clockTime, shownText, type TimeLine, type TimeLineEntry } from './time-line.ts'

/** Every entry is a paragraph that starts with its time, so no text starts a heading, list, table or code block. */
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
 * Inline markup of CommonMark and GFM: escapes, code, emphasis, links, images, footnotes, HTML, closing `#` of headings,
 * tables, strikethrough, entities, mail addresses; formulas (`$`) and templates (`{`) of common extensions. GFM turns
 * `://` and `www.` into links.
 */
const SPECIAL = /[\\`*_{}[\]<>#|~&$@]|:(?=\/\/)|(?<=www)\./gi

/** Renders as the original text. Some renderers still link bare mail addresses after parsing; such a link shows its target. */
export const escapeMarkdown = (text: string): string => text.replace(SPECIAL, '\\$&')
