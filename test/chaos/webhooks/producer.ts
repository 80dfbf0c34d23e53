import { join } from 'node:path'
import type { Fixtures } from '../framework/fixtures.ts'
import type { SupervisedProcess } from '../framework/supervised-process.ts'

export interface ProducerOptions {
  databaseUrl: string
  seed: string
  projects: string[]
  /** The index of the first item that is not known to be done. */
  first: number
  perSecond: number
  /** When the first item was due, in milliseconds since 1970: a restarted producer catches up. */
  since: number
}

/** A process that commits events, and what it reported in all of its starts. */
export interface Producer {
  process: SupervisedProcess
  /** The indices of the items whose commit PostgreSQL confirmed. */
  committed: Set<number>
  /** When it was confirmed, in milliseconds since 1970. */
  confirmedAt: Map<number, number>
  /** Errors that an unavailable database does not explain. */
  errors: string[]
}

export async function startProducer(
  fixtures: Fixtures,
  options: Pick<ProducerOptions, 'seed' | 'projects' | 'perSecond'>,
): Promise<Producer> {
  const [committed, rolledBack] = [new Set<number>(), new Set<number>()]
  const confirmedAt = new Map<number, number>()
  const errors: string[] = []
  const since = Date.now()
  let first = 0
  const process = await fixtures.startConnected((databaseUrl) => ({
    name: 'producer',
    script: () => join(import.meta.dirname, 'producer-main.ts'),
    readyText: 'producing',
    environment: () => {
      while (committed.has(first) || rolledBack.has(first)) first++
      return { PRODUCER: JSON.stringify({ ...options, databaseUrl, first, since } satisfies ProducerOptions) }
    },
    onLine: (line) => {
      const [word, ...rest] = line.split(' ')
      if (word === 'committed') {
        committed.add(Number(rest[0]))
        confirmedAt.set(Number(rest[0]), Date.now())
      }
      if (word === 'rolled-back') rolledBack.add(Number(rest[0]))
      else if (word === 'error') errors.push(rest.join(' '))
    },
  }))
  await fixtures.up()
  return { process, committed, confirmedAt, errors }
}
