import { writeFile } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/** `--name=value`, each a number with a default. */
export function numbersGiven<T extends Record<string, number>>(defaults: T): T {
  const options = Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, { type: 'string' as const, default: `${value}` }]),
  )
  const { values } = parseArgs({ options })
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)])) as T
}

/** Of the last minute, in processes: figures from a busy machine say little. */
const loadBefore = loadavg()[0] ?? 0

/** Prints the figures and keeps them in bench/results, with the command that made them. */
export async function saveFigures(name: string, figures: object): Promise<void> {
  const script = process.argv[1]?.split('/bench/')[1]
  const result = {
    command: ['node', `bench/${script}`, ...process.argv.slice(2)].join(' '),
    at: new Date().toISOString(),
    machine: `${cpus().length} × ${cpus()[0]?.model}`,
    node: process.version,
    load_before: rounded(loadBefore, 2),
    ...figures,
  }
  console.dir(result, { depth: null })
  const file = join(import.meta.dirname, '../results', `${name}.json`)
  await writeFile(file, `${JSON.stringify(result, null, 2)}\n`)
}

/** The value below which `share` of them are. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

export const median = (values: number[]): number => quantile(values, 0.5)

export const rounded = (value: number, digits = 3): number => Number(value.toFixed(digits))
