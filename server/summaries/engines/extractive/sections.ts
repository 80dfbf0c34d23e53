import type { Quotation, ReportSection, Voices } from '../../summarizer.ts'
import { CLEAR } from './concern.ts'
import { asClaim, type Passage, yieldToEventLoop } from './passages.ts'
import { relevantPassages, selectPassages } from './select.ts'
import { type Stance, stanceOf } from './stance.ts'
import type { Theme } from './themes.ts'
import type { RootOf } from './units.ts'

const CLAIMS = 3
/** Passages per turn of the event loop. */
const BATCH_SIZE = 50
const QUOTATIONS = 3
const INSTRUCTION_WEIGHT = 3
/** The weight of passages of which the speech engine is unsure. */
const UNCLEAR_WEIGHT = 0.25

/** A theme as a section: who speaks about it, quotations from different people, and what else was said. */
export async function sectionOf(
  theme: Theme,
  rootOf: RootOf,
  isRequested: (root: string) => boolean,
  signal: AbortSignal,
): Promise<ReportSection> {
  const isAbout = ({ keys, locale }: Passage) => keys.some((key) => rootOf(key, locale) === theme.root)
  const favour = (passage: Passage) => {
    const { keys, locale, concern, unclear } = passage
    const requested = keys.filter((key) => isRequested(rootOf(key, locale))).length / Math.max(1, keys.length)
    const trust = unclear ? UNCLEAR_WEIGHT : 1
    return trust * (1 + concern.weight) * (isAbout(passage) ? 2 : 1) * (1 + INSTRUCTION_WEIGHT * requested)
  }
  const stances = await stancesIn(theme, rootOf, signal)
  const voices = voicesOf(theme.passages, stances)
  const relevant = relevantPassages(theme.passages)
  // People who object are quoted with their objection.
  const best = bestOfEach(relevant, (one) => favour(one) * (stances.get(one) === 'against' ? 2 : 1))
  const quoted = await chooseQuoted(best, voices, favour, signal)
  const others = claimable(
    theme.passages.filter((one) => !quoted.some(({ text }) => text === one.text)),
    isAbout,
  )
  const claims = await selectPassages(others, Math.min(CLAIMS, Math.ceil(others.length / 2)), signal, favour)
  return {
    heading: theme.heading,
    paragraphs: claims.map(asClaim),
    quotations: quoted.map(asQuotation),
    voices,
  }
}

/** Sentences that name the theme or a wish. The rest of a statement often has no meaning without it. */
function claimable(passages: readonly Passage[], isAbout: (passage: Passage) => boolean): readonly Passage[] {
  const chosen = passages.filter((one) => isAbout(one) || one.concern.weight >= CLEAR)
  return chosen.length > 0 ? chosen : passages
}

/** The strongest passage of each conversation. */
function bestOfEach(passages: readonly Passage[], favour: (passage: Passage) => number): Passage[] {
  const best = new Map<string, Passage>()
  for (const passage of passages) {
    const known = best.get(passage.conversation)
    if (!known || favour(passage) > favour(known)) best.set(passage.conversation, passage)
  }
  return [...best.values()]
}

/** Chooses quotations from different people. If someone objects, one of those who object is quoted, and others who do not. */
async function chooseQuoted(
  best: readonly Passage[],
  { against }: Voices,
  favour: (passage: Passage) => number,
  signal: AbortSignal,
): Promise<Passage[]> {
  const objecting = best.filter(({ conversation }) => against.includes(conversation))
  const others = best.filter((one) => !objecting.includes(one))
  const first = await selectPassages(objecting, others.length > 0 ? 1 : QUOTATIONS, signal, favour)
  const rest = await selectPassages(others, QUOTATIONS - first.length, signal, favour)
  return [...rest, ...first]
}

async function stancesIn(
  { root, passages }: Theme,
  rootOf: RootOf,
  signal: AbortSignal,
): Promise<Map<Passage, Stance | null>> {
  const stances = new Map<Passage, Stance | null>()
  for (const [at, passage] of passages.entries()) {
    if (at % BATCH_SIZE === 0) await yieldToEventLoop(signal)
    stances.set(
      passage,
      stanceOf(passage, (key) => rootOf(key, passage.locale) === root),
    )
  }
  return stances
}

/** The people who want the subject of the theme, and those who object or want it to be removed, by their sentences. */
function voicesOf(passages: readonly Passage[], stances: ReadonlyMap<Passage, Stance | null>): Voices {
  const peopleWho = (stance: Stance) => distinct(passages.filter((one) => stances.get(one) === stance))
  return { conversations: distinct(passages), for: peopleWho('for'), against: peopleWho('against') }
}

export const distinct = (passages: readonly Passage[]): string[] => [
  ...new Set(passages.map(({ conversation }) => conversation)),
]

const asQuotation = ({ conversation, utterance, text }: Passage): Quotation => ({
  conversation_id: conversation,
  utterance,
  text,
})
