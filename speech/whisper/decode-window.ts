import { gzipSync } from 'node:zlib'
import { type DecoderRun, indexOfLargest } from '../models/cached-decoder.ts'
import { dropLoop } from '../models/loops.ts'
import { phrasesOf } from './phrases.ts'
import { applyRules } from './timestamp-rules.ts'
import { TOKENS, type Vocabulary } from './vocabulary.ts'

export interface SpokenPhrase {
  start: number
  end: number
  text: string
}

/** Scripts that are not Latin take a token or more per letter: 15 a second. */
const TOKENS_PER_SECOND = 15
const MIN_TOKENS = 40
const MAX_TOKENS = 220
/** Text that shrinks below this says the same over and over (whisper's own limit). */
const MAX_COMPRESSION = 2.4
/** Of three tokens: long enough that natural speech seldom repeats it. */
const REPEAT_LENGTH = 3
/** Nobody spoke, and whisper itself did not believe what it wrote (its own limits). */
const NO_SPEECH = 0.6
const LOW_CONFIDENCE = -1

interface Attempt {
  said: number[]
  /** Mean of the logarithms of the chosen tokens' chances. */
  confidence: number
  noSpeech: number
}

/** Greedy. A window that gets stuck is read again with no three tokens allowed twice. */
export async function decodeWindow(
  open: () => DecoderRun,
  prompt: readonly number[],
  seconds: number,
  vocabulary: Vocabulary,
): Promise<SpokenPhrase[]> {
  let attempt = await read(open(), prompt, seconds, vocabulary, false)
  if (isStuck(vocabulary.textOf(attempt.said)))
    attempt = await read(open(), prompt, seconds, vocabulary, true)
  if (attempt.noSpeech > NO_SPEECH && attempt.confidence < LOW_CONFIDENCE) return []
  return phrasesOf(dropLoop(attempt.said), seconds)
    .map(({ start, end, tokens }) => ({ start, end, text: vocabulary.textOf(tokens).trim() }))
    .filter(({ text }) => text !== '')
}

async function read(
  run: DecoderRun,
  prompt: readonly number[],
  seconds: number,
  vocabulary: Vocabulary,
  withoutRepeats: boolean,
): Promise<Attempt> {
  const limit = Math.min(MAX_TOKENS, Math.ceil(MIN_TOKENS + seconds * TOKENS_PER_SECOND))
  const said: number[] = []
  let logits = await run.next(prompt)
  const noSpeech = chanceOf(logits, TOKENS.noSpeech)
  let confidence = 0
  while (said.length < limit) {
    applyRules(logits, said, vocabulary)
    if (withoutRepeats) forbidRepeats(logits, said)
    const token = indexOfLargest(logits)
    confidence += Math.log(chanceOf(logits, token))
    if (token === TOKENS.end) break
    said.push(token)
    logits = await run.next([token])
  }
  return { said, confidence: confidence / (said.length + 1), noSpeech }
}

function chanceOf(logits: Float32Array, token: number): number {
  const largest = logits[indexOfLargest(logits)] as number
  const sum = logits.reduce((total, value) => total + Math.exp(value - largest), 0)
  return Math.exp((logits[token] as number) - largest) / sum
}

function isStuck(text: string): boolean {
  const bytes = Buffer.byteLength(text)
  return bytes > 60 && bytes / gzipSync(text).length > MAX_COMPRESSION
}

function forbidRepeats(logits: Float32Array, said: readonly number[]): void {
  const [first, second] = said.slice(-(REPEAT_LENGTH - 1))
  for (let index = 0; index + 2 < said.length; index++)
    if (said[index] === first && said[index + 1] === second)
      logits[said[index + 2] as number] = Number.NEGATIVE_INFINITY
}
