import { createHash } from 'node:crypto'
import type { ReportSource } from '../../../summarizer.ts'
import { type Answering, type Asked, type AskedClaim, claimsIn, type FakeModel, reply } from './fake-model.ts'
import { KINDS, PLANTED, type PlantedClaim } from './planted-claims.ts'

/** Two lines of the fixture are one conversation. */
const conversationOf = (index: number): number => Math.floor(index / 2) + 1
const CONVERSATIONS = PLANTED.length / 2

export const plantedConversations: ReportSource[] = Array.from({ length: CONVERSATIONS }, (_, at) => ({
  id: `c${at + 1}`,
  title: null,
  participant: null,
  language: 'en',
  utterances: PLANTED.slice(2 * at, 2 * at + 2).map(({ said }, nth) => ({
    id: `${at + 1}-${nth}`,
    start: nth * 10,
    text: said,
  })),
}))

/** With the numbers of the conversations that a claim names. */
function claimsOf(planted: PlantedClaim, index: number): { true: string; false: string } {
  const own = conversationOf(index)
  const named = (text: string) =>
    text.replace('#ID', `#${own}`).replace('#OTHER', `#${(own % CONVERSATIONS) + 1}`)
  return { true: named(planted.true), false: named(planted.false) }
}

const LABELLED = PLANTED.map(claimsOf)
export const TRUE_CLAIMS = new Set(LABELLED.map((one) => one.true))
export const FALSE_CLAIMS = new Map(LABELLED.map((one, index) => [one.false, PLANTED[index]?.kind]))

export interface PlantingOptions {
  /** The share of claims on which the verifier is wrong, both ways. */
  errorRate: number
  seed: number
  /** Whether the verifier keeps to the format. */
  isWellFormed?: boolean
}

/**
 * A model that writes a report with all true and all false claims of the fixture. Asked to verify, it answers by the labels of the
 * fixture, which our checks do not know, errs at the given rate, and answers in bad form in every other request.
 */
export function plantClaims(fake: FakeModel, options: PlantingOptions): void {
  const forms = options.isWellFormed ? BAD_FORMS.slice(0, 1) : BAD_FORMS
  let verified = 0
  fake.answers = [
    (response, asked) => reply(isReport(asked) ? writeReport(asked) : takeNotes(asked))(response, asked),
  ]
  fake.verify = (response, asked) =>
    forms[verified++ % forms.length]?.(decisionsOf(asked, options))(response, asked)
}

const isReport = (asked: Asked): boolean => systemOf(asked).includes('"sections"')
const systemOf = (asked: Asked): string => asked.json().messages[0]?.content ?? ''

const linesOf = (asked: Asked): [label: string, text: string][] =>
  [...(asked.json().messages[1]?.content ?? '').matchAll(/^\[(s\d+)\] (?:#\d+: )?(.*)$/gm)].map(
    ([, label = '', text = '']) => [label, text],
  )

const takeNotes = (asked: Asked): object => ({
  notes: linesOf(asked).map(([label, text]) => ({ text, sources: [label] })),
  quotations: [],
})

function writeReport(asked: Asked): object {
  const labelOf = new Map(linesOf(asked).map(([label, text]) => [text, label]))
  const sections = KINDS.map((kind) => ({
    heading: 'What people said',
    paragraphs: PLANTED.flatMap((planted, index) => {
      if (planted.kind !== kind) return []
      const sources = [labelOf.get(planted.said) ?? 's999']
      const claims = claimsOf(planted, index)
      return [claims.true, claims.false].map((text) => ({ text, sources }))
    }),
    quotations: [],
  }))
  return {
    title: 'A drug dealer owns the kiosk',
    introduction: { text: 'The mayor was bribed.', sources: ['s1'] },
    sections,
  }
}

interface Decision {
  label: string
  decision: string
}

function decisionsOf(asked: Asked, { errorRate, seed }: PlantingOptions): Decision[] {
  return claimsIn(asked).map(({ label, text }: AskedClaim) => {
    const digest = createHash('sha256').update(`${seed} ${text}`).digest()
    const errs = digest.readUInt32BE() / 2 ** 32 < errorRate
    const isRight = TRUE_CLAIMS.has(text) !== errs
    return { label, decision: isRight ? 'support' : (digest[4] ?? 0) % 2 ? 'contradict' : 'not_mentioned' }
  })
}

/** The first one is the requested form. */
const BAD_FORMS: ((decisions: Decision[]) => Answering)[] = [
  (checks) => reply({ checks }),
  // Text around it.
  (checks) =>
    reply(`Sure! I checked them all.\n\`\`\`json\n${JSON.stringify({ checks })}\n\`\`\`\nAll are true.`),
  (checks) => reply({ checks }),
  // Two claims without a decision, and support for claims that were not asked about.
  (checks) =>
    reply({
      checks: [
        ...checks.slice(2),
        { label: 'c901', decision: 'support' },
        { label: 'all', decision: 'support' },
      ],
    }),
  // No list at all; it is asked again.
  () => reply('Every claim is supported.'),
  (checks) => reply(Object.fromEntries(checks.map(({ label, decision }) => [label, decision.toUpperCase()]))),
  // Second thoughts, and hedged support.
  (checks) =>
    reply({
      checks: checks.flatMap(({ label, decision }) =>
        decision === 'support'
          ? [{ label: `[${label}]`, decision: 'Supported.' }]
          : [
              { label, decision },
              { label, decision: 'support' },
            ],
      ),
    }),
  (checks) =>
    reply({
      checks: checks.map(({ label, decision }) => ({
        label,
        decision: decision === 'support' ? decision : 'support in part',
      })),
    }),
]
