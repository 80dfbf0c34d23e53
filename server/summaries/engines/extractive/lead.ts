import type { Passage } from './passages.ts'
import { isClear } from './select.ts'
import { proposes, rejects } from './stance.ts'
import { contextOf } from './titles/title-context.ts'

/** The sentences before an objection that can say what it is about. */
const MAX_BEFORE = 3
const MIN_POINTS = 2

/**
 * Puts a point first that names what it is about, if the first one does not ("They should not do that"): another wish, or the plan
 * right before ("They want to close the cinema").
 */
export function leadWithSubject(
  points: readonly Passage[],
  passages: readonly Passage[],
): readonly Passage[] {
  const [first] = points
  if (!first || namesSubject(first)) return points
  const isUsable = (one: Passage) => (first.unclear || !one.unclear) && namesSubject(one)
  const at = passages.indexOf(first)
  const before = rejects(first) ? passages.slice(Math.max(0, at - MAX_BEFORE), at) : []
  const lead =
    points.find((one) => isClear(one) && isUsable(one)) ??
    before.findLast((one) => proposes(one) && isUsable(one))
  if (!lead) return points
  return [lead, ...points.filter((one) => one !== lead)].slice(0, Math.max(points.length, MIN_POINTS))
}

/** Whether a sentence names what it is about: pronouns do not stand for its subject and its object. */
function namesSubject({ text, locale }: Passage): boolean {
  const { gaps, hasNoun } = contextOf(text, locale)
  return gaps !== 'reference' || hasNoun
}
