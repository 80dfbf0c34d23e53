import { randomBytes } from 'node:crypto'
import { breakBefore } from '../../../../grounding/text/sentences.ts'
import type { Prompts } from '../../prompts/index.ts'
import type { Question } from './chat.ts'
import type { Task } from './tasks.ts'
import { estimateTokens } from './tokens.ts'

/** Something that was said, and where. */
export interface Said {
  id: string
  text: string
  language: string | null
  conversation: string
  /** Which of its conversation's utterances. */
  place: number
}

/** A line of what a model is shown: something that was said, or a note on it. */
export interface Line {
  text: string
  /** What it rests on; of something that was said, itself. */
  said: readonly Said[]
}

/** Its label, brackets and the end of a line. */
const LINE_TOKENS = 8

/** As many lines as fit at once, in order; a line that is too long by itself becomes several. */
export function packLines(lines: readonly Line[], maxTokens: number): Line[][] {
  const packs: Line[][] = []
  let room = 0
  for (const line of lines.flatMap((one) => shortLines(one, maxTokens))) {
    const tokens = tokensOf(line)
    if (tokens > room) {
      packs.push([])
      room = maxTokens
    }
    packs.at(-1)?.push(line)
    room -= tokens
  }
  return packs
}

export const tokensOf = ({ text }: Pick<Line, 'text'>): number => LINE_TOKENS + estimateTokens(text)

function shortLines({ text, said }: Line, maxTokens: number): Line[] {
  const lines: Line[] = []
  let rest = text
  // A character is a token at most, or so it is estimated.
  const longest = maxTokens - LINE_TOKENS
  while (LINE_TOKENS + estimateTokens(rest) > maxTokens) {
    const at = breakBefore(rest, longest)
    lines.push({ text: rest.slice(0, at), said })
    rest = rest.slice(at)
  }
  return [...lines, { text: rest, said }]
}

/** The question of a task over some lines, with a fence around them that nobody who spoke can have known. */
export function questionOf<Result>(
  task: Task<Result>,
  instruction: string,
  prompts: Prompts,
  material: readonly string[],
): Question<Result> {
  const fence = `=====${randomBytes(9).toString('base64url')}=====`
  return {
    task,
    system: [prompts.ground(fence), instruction, prompts.language, task.example].join('\n\n'),
    user: [fence, ...material, fence].join('\n'),
  }
}

/** `[s1] …`: brackets and line ends of the text itself could pass for another label. */
export const labelled = (letter: 's' | 'q', texts: readonly string[]): string[] =>
  texts.map((text, index) => `[${letter}${index + 1}] ${plain(text)}`)

const plain = (text: string): string =>
  text.replace(/\s+/gu, ' ').replaceAll('[', '(').replaceAll(']', ')').trim()
