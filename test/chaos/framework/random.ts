import { createHash } from 'node:crypto'

/** Random values that a seed repeats, so that a failed run can be run again. */
export interface Random {
  /** From 0 to below 1. */
  next(): number
  between(low: number, high: number): number
  /** Both ends included. */
  integer(low: number, high: number): number
  chance(probability: number): boolean
  pick<T>(from: readonly T[]): T
  shuffle<T>(from: readonly T[]): T[]
  uuid(): string
  /** A separate source: its values do not depend on how much is drawn from this one. */
  fork(name: string): Random
}

export function seededRandom(seed: string): Random {
  let counter = 0
  let block = Buffer.alloc(0)
  const take = (bytes: number): Buffer => {
    if (block.length < bytes) block = createHash('sha512').update(`${seed}/${counter++}`).digest()
    const taken = block.subarray(0, bytes)
    block = block.subarray(bytes)
    return taken
  }
  const next = (): number => take(4).readUInt32BE() / 2 ** 32
  const integer = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    integer,
    chance: (probability) => next() < probability,
    pick: <T>(from: readonly T[]): T => {
      if (from.length === 0) throw new Error('cannot pick from an empty list')
      return from[integer(0, from.length - 1)] as T
    },
    shuffle: (from) => {
      const left = [...from]
      return from.map(() => left.splice(integer(0, left.length - 1), 1)[0] as (typeof left)[number])
    },
    uuid: () => {
      const hex = take(16).toString('hex')
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
    },
    fork: (name) => seededRandom(`${seed}/${name}`),
  }
}
