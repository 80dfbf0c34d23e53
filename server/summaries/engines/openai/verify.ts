import { withoutInjections } from '../../../../grounding/check-claims.ts'
import { stemsOf } from '../../../../grounding/shared-words.ts'
import { sentencesOf } from '../../../../grounding/text/sentences.ts'
import type { Evidence, SourceLine } from '../../../../grounding/types.ts'
import { NoResult, type Prompt } from './chat.ts'
import { forEachConcurrently } from './concurrently.ts'
import type { SummaryContext } from './notes.ts'
import { newFence, tokensOf, withoutBrackets } from './sources.ts'
import { checksTask } from './tasks.ts'

export interface Claimed extends SourceLine {
  /** A heading is about its sources; a claim must follow from them. */
  kind: 'claim' | 'heading'
}

interface Item {
  index: number
  label: string
  lines: string[]
}

/** Small models lose track of longer lists. */
const MAX_CLAIMS = 12
/** Of one utterance. A written text can have many pages, of which a claim needs a few sentences. */
const MAX_EXCERPT = 1_200
/** The second round repeats what the model left out of the first. */
const ROUNDS = 2

/**
 * Asks the model once more about every claim: do the lines it cites support it, contradict it, or not mention it? Only support counts;
 * a claim without a clear decision is not supported.
 */
export async function areSupported(context: SummaryContext, claims: readonly Claimed[]): Promise<boolean[]> {
  const decisions = new Map<number, boolean>()
  const isOpen = ({ index }: Item): boolean => !decisions.has(index)
  const items = claims.map(toItem)
  for (let round = 0; round < ROUNDS; round++) {
    const batches = pack(items.filter(isOpen), context.maxTokens)
    await forEachConcurrently(batches, context.concurrency, async (batch) => {
      for (const [index, isSupported] of await check(context, batch)) decisions.set(index, isSupported)
    })
  }
  return items.map(({ index }) => decisions.get(index) === true)
}

function toItem({ kind, text, evidence }: Claimed, index: number): Item {
  const label = `${kind === 'heading' ? 'h' : 'c'}${index + 1}`
  const lines = withoutInjections(evidence).map((one) => `> ${withoutBrackets(excerptOf(one, text))}`)
  return { index, label, lines: [`[${label}] ${withoutBrackets(text)}`, ...lines] }
}

/** The sentences that share words with the claim, if the whole utterance is too long; else its beginning. */
function excerptOf({ text, language }: Evidence, claim: string): string {
  if (text.length <= MAX_EXCERPT) return text
  const wanted = new Set(stemsOf(claim, language))
  const sentences = sentencesOf(text, language).map((sentence, at) => {
    const shared = new Set(stemsOf(sentence, language)).intersection(wanted).size
    return { sentence, at, shared }
  })
  let left = MAX_EXCERPT
  return sentences
    .toSorted((a, b) => b.shared - a.shared || a.at - b.at)
    .filter(({ sentence }) => {
      left -= sentence.length + 3
      return left >= 0
    })
    .toSorted((a, b) => a.at - b.at)
    .map(({ sentence }) => sentence)
    .join(' … ')
}

function pack(items: readonly Item[], maxTokens: number): Item[][] {
  const batches: Item[][] = []
  let left = 0
  for (const item of items) {
    const tokens = item.lines.reduce((sum, text) => sum + tokensOf({ text }), 0)
    if (tokens > left || batches.at(-1)?.length === MAX_CLAIMS) {
      batches.push([])
      left = maxTokens
    }
    batches.at(-1)?.push(item)
    left -= tokens
  }
  return batches
}

/** The decisions on the claims of one request. Labels that were not asked about are ignored, and two decisions on one claim must agree. */
async function check(context: SummaryContext, batch: readonly Item[]): Promise<Map<number, boolean>> {
  const indexOf = new Map(batch.map(({ label, index }) => [label, index]))
  const decisions = new Map<number, boolean>()
  for (const { label, decision } of await ask(context, batch)) {
    const index = indexOf.get(label.toLowerCase().replace(/[^a-z\d]/g, ''))
    if (index === undefined) continue
    const isSupported = /^support(?:s|ed)?\.?$/i.test(decision.trim())
    decisions.set(index, isSupported && decisions.get(index) !== false)
  }
  return decisions
}

async function ask({ chat, prompts, signal }: SummaryContext, batch: readonly Item[]) {
  const fence = newFence()
  const prompt: Prompt<{ label: string; decision: string }[]> = {
    task: checksTask,
    system: [prompts.verify(fence), checksTask.example].join('\n\n'),
    user: [fence, ...batch.flatMap(({ lines }) => lines), fence].join('\n'),
  }
  return chat.ask(prompt, signal).catch((error: unknown) => {
    // No decision: the claims are asked about again, and then dropped.
    if (error instanceof NoResult) return []
    throw error
  })
}
