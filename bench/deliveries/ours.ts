import { answer, givenOptions } from './children.ts'
import type { ContenderOptions, Ours } from './types.ts'

/**
 * Parley's own dispatcher, in one process: every signature, the address guard and the attempt log are on.
 * To be plugged in: see `Ours` in types.ts for what each function does, and when.
 */
const { addresses, databaseUrl } = givenOptions<ContenderOptions>()

const notYet = (): never => {
  throw new Error(`there is no dispatcher yet for ${addresses.length} webhooks in ${databaseUrl}`)
}

answer({
  seed: notYet,
  run: notYet,
  start: notYet,
  stop: notYet,
  publish: notYet,
  seedFinished: notYet,
} satisfies Ours)
