import { createHash } from 'node:crypto'
import type { ReportSource } from '../../../summarizer.ts'
import {
  type Asked,
  type AskedClaim,
  claimsIn,
  type FakeModel,
  type ModelHandler,
  reply,
} from './fake-model.ts'
import { KINDS, type Kind, PLANTED, type PlantedClaim } from './planted-claims.ts'
import { PLANTED_NL } from './planted-claims-nl.ts'

/** A true and a false claim for each line that was said, and the lines as conversations of two utterances each. */
export type Planted = ReturnType<typeof plant>

export interface PlantingOptions {
  /** The share of claims on which the verifier is wrong, both ways. */
  errorRate: number
  /** In this share of its later decisions on a claim, the verifier repeats the error of its first. */
  correlation?: number
  seed: number
  /** Whether the verifier keeps to the format. */
  isWellFormed?: boolean
}

function plant(planted: readonly PlantedClaim[], language: string) {
  const conversations: ReportSource[] = Array.from({ length: planted.length / 2 }, (_, at) => ({
    id: `c${at + 1}`,
    title: null,
    participant: null,
    language,
    utterances: planted
      .slice(2 * at, 2 * at + 2)
      .map(({ said }, nth) => ({ id: `${at + 1}-${nth}`, start: nth * 10, text: said })),
  }))
  /** With the numbers of the conversations that a claim names. */
  const claims = planted.map(({ kind, said, ...claim }, index) => {
    const own = Math.floor(index / 2) + 1
    const named = (text: string) =>
      text.replace('#ID', `#${own}`).replace('#OTHER', `#${(own % conversations.length) + 1}`)
    return { kind, said, true: named(claim.true), false: named(claim.false) }
  })
  return {
    language,
    conversations,
    claims,
    trueClaims: new Set(claims.map((one) => one.true)),
    falseClaims: new Map<string, Kind>(claims.map((one) => [one.false, one.kind])),
  }
}

export const ENGLISH = plant(PLANTED, 'en')
export const DUTCH = plant(PLANTED_NL, 'nl')

/**
 * A model that writes a report with all true and all false claims of the fixture. Asked to verify, it responds by the labels of the
 * fixture, which our checks do not know, errs at the given rate, and responds in bad form in every other request.
 */
export function plantClaims(fake: FakeModel, options: PlantingOptions, planted = ENGLISH): void {
  const forms = options.isWellFormed ? BAD_FORMS.slice(0, 1) : BAD_FORMS
  const decide = verifierOf(options, planted)
  let [verified, compared] = [0, 0]
  fake.handlers = [
    (response, asked) =>
      reply(isReport(asked) ? writeReport(asked, planted) : takeNotes(asked))(response, asked),
  ]
  fake.verify = (response, asked) => forms[verified++ % forms.length]?.(decide(asked))(response, asked)
  const comparing = options.isWellFormed ? COMPARING_FORMS.slice(0, 1) : COMPARING_FORMS
  fake.compare = (response, asked) => {
    const lineOf = new Map(claimsIn(asked).map(({ label, lines }) => [label, lines[0] ?? '']))
    const comparisons = decide(asked).map(({ label, decision }) => ({
      label,
      // The words are always there, also where they say something else.
      words: lineOf.get(label) ?? '',
      difference: decision === 'support' ? 'none' : decision === 'contradict' ? 'opposite' : 'added',
    }))
    comparing[compared++ % comparing.length]?.(comparisons)(response, asked)
  }
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

function writeReport(asked: Asked, { claims }: Planted): object {
  const labelOf = new Map(linesOf(asked).map(([label, text]) => [text, label]))
  const sections = KINDS.map((kind) => ({
    heading: 'What people said',
    paragraphs: claims.flatMap((one) => {
      if (one.kind !== kind) return []
      const sources = [labelOf.get(one.said) ?? 's999']
      return [one.true, one.false].map((text) => ({ text, sources }))
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

/** Each decision on a claim is a new draw, except for repeated errors. */
function verifierOf({ errorRate, correlation = 0, seed }: PlantingOptions, { trueClaims }: Planted) {
  const decided = new Map<string, number>()
  const draw = (...of: (string | number)[]): [share: number, other: number] => {
    const digest = createHash('sha256')
      .update(`${seed} ${of.join(' ')}`)
      .digest()
    return [digest.readUInt32BE() / 2 ** 32, digest.readUInt32BE(4) / 2 ** 32]
  }
  return (asked: Asked): Decision[] =>
    claimsIn(asked).map(({ label, text }: AskedClaim) => {
      const time = decided.get(text) ?? 0
      decided.set(text, time + 1)
      const isRepeated = time > 0 && draw(text, time, 'repeats')[0] < correlation
      const [share, other] = isRepeated ? draw(text, 0) : draw(text, time)
      const isRight = trueClaims.has(text) !== share < errorRate
      return { label, decision: isRight ? 'support' : other < 0.5 ? 'contradict' : 'not_mentioned' }
    })
}

interface Comparison {
  label: string
  words: string
  difference: string
}

/** The first one is the requested form. */
const COMPARING_FORMS: ((comparisons: Comparison[]) => ModelHandler)[] = [
  (comparisons) => reply({ comparisons }),
  (comparisons) => reply(`Here you are:\n${JSON.stringify({ comparisons })}`),
  // Support for claims that were not asked about, and hedged differences.
  (comparisons) =>
    reply({
      comparisons: [
        ...comparisons.map((one) =>
          one.difference === 'none' ? one : { ...one, difference: 'none really' },
        ),
        { label: 'all', words: 'all', difference: 'none' },
      ],
    }),
  // Words that were not said.
  (comparisons) =>
    reply({
      comparisons: comparisons.map((one) =>
        one.difference === 'none' ? one : { ...one, words: 'zzz', difference: 'none' },
      ),
    }),
]

/** The first one is the requested form. */
const BAD_FORMS: ((decisions: Decision[]) => ModelHandler)[] = [
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
