import { randomBytes } from 'node:crypto'
import { breakBefore } from '../../../../grounding/text/sentences.ts'
import type { SourceLine } from '../../../../grounding/types.ts'
import type { Prompts } from '../../prompts/index.ts'
import type { Prompt } from './chat.ts'
import type { Task } from './tasks.ts'

/** The label, the brackets and the line end. */
const LINE_TOKENS = 8

/** Groups lines, in order, into batches that fit into one prompt. A line that is too long is split. */
export function packLines(lines: readonly SourceLine[], maxTokens: number): SourceLine[][] {
  const batches: SourceLine[][] = []
  let left = 0
  for (const line of lines.flatMap((one) => splitLine(one, maxTokens))) {
    const tokens = tokensOf(line)
    if (tokens > left) {
      batches.push([])
      left = maxTokens
    }
    batches.at(-1)?.push(line)
    left -= tokens
  }
  return batches
}

export const tokensOf = ({ text }: Pick<SourceLine, 'text'>): number => LINE_TOKENS + estimateTokens(text)

function splitLine({ text, evidence }: SourceLine, maxTokens: number): SourceLine[] {
  const lines: SourceLine[] = []
  let rest = text
  // The estimate never counts more than one token per character.
  const maxLength = maxTokens - LINE_TOKENS
  while (tokensOf({ text: rest }) > maxTokens) {
    const at = breakBefore(rest, maxLength)
    lines.push({ text: rest.slice(0, at), evidence })
    rest = rest.slice(at)
  }
  return [...lines, { text: rest, evidence }]
}

export const newFence = (): string => `=====${randomBytes(9).toString('base64url')}=====`

/** Puts a random fence around the sources, which no speaker can have known. */
export function promptOf<Result>(
  task: Task<Result>,
  instruction: string,
  prompts: Prompts,
  sources: readonly string[],
): Prompt<Result> {
  const fence = newFence()
  return {
    task,
    system: [prompts.rules(fence), instruction, prompts.language, task.example].join('\n\n'),
    user: [fence, ...sources, fence].join('\n'),
  }
}

/** `[s1] …`. Brackets and line ends of the text are replaced, because they could look like another label. */
export const labelLines = (lines: readonly Pick<SourceLine, 'text'>[], letter: 's' | 'q' = 's'): string[] =>
  lines.map(({ text }, index) => `[${letter}${index + 1}] ${withoutBrackets(text)}`)

export const withoutBrackets = (text: string): string =>
  text.replace(/\s+/gu, ' ').replaceAll('[', '(').replaceAll(']', ')').trim()

/** Scripts in which each character is a word or a syllable. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu
const LATIN = /[\p{Script=Latin}\p{Script=Common}]/gu

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** Estimates the tokens of a text: one per four Latin characters, per two of most other scripts, per one of the dense scripts. */
function estimateTokens(text: string): number {
  const dense = count(text, DENSE)
  const latin = count(text, LATIN)
  return Math.ceil(latin / 4 + dense + Math.max(0, text.length - latin - dense) / 2)
}
