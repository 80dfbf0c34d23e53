import { createHash } from 'node:crypto'

/** Randomness that a seed repeats: what was drawn in a run that failed is drawn again. */
export interface Random {
  /** From 0 to below 1. */
  next(): number
  between(low: number, high: number): number
  whole(low: number, high: number): number
  happens(chance: number): boolean
  pick<T>(from: readonly T[]): T
  shuffled<T>(from: readonly T[]): T[]
  uuid(): string
  /** A source of its own, which stays the same however much is drawn from others. */
  of(name: string): Random
}

export function seeded(seed: string): Random {
  let counter = 0
  let block = Buffer.alloc(0)
  const take = (bytes: number): Buffer => {
    if (block.length < bytes) block = createHash('sha512').update(`${seed}/${counter++}`).digest()
    const taken = block.subarray(0, bytes)
    block = block.subarray(bytes)
    return taken
  }
  const next = (): number => take(4).readUInt32BE() / 2 ** 32
  const whole = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))
  const pick = <T>(from: readonly T[]): T => {
    if (from.length === 0) throw new Error('nothing to pick from')
    return from[whole(0, from.length - 1)] as T
  }
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    whole,
    happens: (chance) => next() < chance,
    pick,
    shuffled: (from) => {
      const left = [...from]
      return from.map(() => left.splice(whole(0, left.length - 1), 1)[0] as (typeof left)[number])
    },
    uuid: () => asUuid(take(16)),
    of: (name) => seeded(`${seed}/${name}`),
  }
}

function asUuid(bytes: Buffer): string {
  const own = Buffer.from(bytes)
  own.writeUInt8(((own[6] as number) & 0x0f) | 0x70, 6)
  own.writeUInt8(((own[8] as number) & 0x3f) | 0x80, 8)
  return own.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
