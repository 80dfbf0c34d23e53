import { withoutInjections } from '../../../../grounding/check-claims.ts'
import { stemsOf } from '../../../../grounding/shared-words.ts'
import { sentencesOf } from '../../../../grounding/text/sentences.ts'
import type { Evidence, SourceLine } from '../../../../grounding/types.ts'
import { NoResult, type Prompt } from './chat.ts'
import { forEachConcurrently } from './concurrently.ts'
import type { SummaryContext } from './notes.ts'
import { newFence, tokensOf, withoutBrackets } from './sources.ts'
import { checksTask, comparisonsTask, type Task } from './tasks.ts'

export interface Claimed extends SourceLine {
  /** A heading is about its sources; a claim must follow from them. */
  kind: 'claim' | 'heading'
}

interface Item {
  index: number
  label: string
  kind: Claimed['kind']
  /** The cited utterances. */
  said: string[]
  lines: string[]
}

/** Whether a claim is supported, by its index. Claims without a clear decision are not in it. */
type Decisions = Map<number, boolean>
type Question = (
  context: SummaryContext,
  batch: readonly Item[],
) => Promise<Iterable<[label: string, boolean]>>

/** Small models lose track of longer lists. */
const MAX_CLAIMS = 12
/** Characters of one utterance. A written text can have many pages, of which a claim needs a few sentences. */
const MAX_EXCERPT = 1_200
/** The second round repeats what the model left out of the first. */
const ROUNDS = 2

/**
 * Asks the model two questions about every claim, in different orders: do its lines support it, and what differs from its lines? Where
 * the responses differ, it asks the first one again. Two of them must support a claim; one without a clear decision does not.
 */
export async function areSupported(context: SummaryContext, claims: readonly Claimed[]): Promise<boolean[]> {
  const items = claims.map(toItem)
  const first: Decisions = new Map()
  for (let round = 0; round < ROUNDS; round++)
    await decide(
      context,
      support,
      items.filter(({ index }) => !first.has(index)),
      first,
    )
  // A model that decides nothing would not be able to compare either.
  if (first.size === 0) return items.map(() => false)
  const second = await decide(context, compare, items.toReversed())
  const isYes = (decisions: Decisions, { index }: Item): boolean => decisions.get(index) === true
  const disputed = items.filter((item) => isYes(first, item) !== isYes(second, item))
  const third = await decide(context, support, disputed.toReversed())
  return items.map((item) => [first, second, third].filter((one) => isYes(one, item)).length >= 2)
}

async function decide(
  context: SummaryContext,
  question: Question,
  items: readonly Item[],
  decisions: Decisions = new Map(),
): Promise<Decisions> {
  await forEachConcurrently(pack(items, context.maxTokens), context.concurrency, async (batch) => {
    for (const [index, isSupported] of await check(context, question, batch))
      decisions.set(index, isSupported)
  })
  return decisions
}

function toItem({ kind, text, evidence }: Claimed, index: number): Item {
  const label = `${kind === 'heading' ? 'h' : 'c'}${index + 1}`
  const said = withoutInjections(evidence).map((one) => withoutBrackets(excerptOf(one, text)))
  const lines = [`[${label}] ${withoutBrackets(text)}`, ...said.map((one) => `> ${one}`)]
  return { index, label, kind, said, lines }
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
async function check(
  context: SummaryContext,
  question: Question,
  batch: readonly Item[],
): Promise<Decisions> {
  const indexOf = new Map(batch.map(({ label, index }) => [label, index]))
  const decisions: Decisions = new Map()
  for (const [label, isSupported] of await question(context, batch)) {
    const index = indexOf.get(plainLabel(label))
    if (index !== undefined) decisions.set(index, isSupported && decisions.get(index) !== false)
  }
  return decisions
}

const plainLabel = (label: string): string => label.toLowerCase().replace(/[^a-z\d]/g, '')

const support: Question = async (context, batch) =>
  (await ask(context, batch, checksTask, context.prompts.verify)).map(({ label, decision }) => [
    label,
    /^support(?:s|ed)?\.?$/i.test(decision.trim()),
  ])

/** The words that the model finds must have been said: it cannot support a claim without reading its lines. */
const compare: Question = async (context, batch) => {
  const itemOf = new Map(batch.map((item) => [item.label, item]))
  const found = await ask(context, batch, comparisonsTask, context.prompts.compare)
  return found.map(({ label, words, difference }) => {
    const item = itemOf.get(plainLabel(label))
    const isSame = /^none\.?$/i.test(difference.trim())
    return [label, isSame && item !== undefined && (item.kind === 'heading' || wereSaid(words, item.said))]
  })
}

/** Models leave out and inflect words when they copy: most of them must occur. */
function wereSaid(words: string, said: readonly string[]): boolean {
  const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const known = new Set(said.flatMap(wordsOf))
  const copied = wordsOf(words)
  return copied.length > 0 && copied.filter((word) => known.has(word)).length >= MIN_COPIED * copied.length
}

const MIN_COPIED = 0.6

async function ask<Entry>(
  { chat, signal }: SummaryContext,
  batch: readonly Item[],
  task: Task<Entry[]>,
  instruction: (fence: string) => string,
): Promise<Entry[]> {
  const fence = newFence()
  const prompt: Prompt<Entry[]> = {
    task,
    system: [instruction(fence), task.example].join('\n\n'),
    user: [fence, ...batch.flatMap(({ lines }) => lines), fence].join('\n'),
  }
  return chat.ask(prompt, signal).catch((error: unknown) => {
    // No decision: the claims are asked about again, and then dropped.
    if (error instanceof NoResult) return []
    throw error
  })
}
