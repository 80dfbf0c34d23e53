import { writeFile } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/** Parses command line options of the form `--name=number`; `defaults` lists the names. */
export function parseNumberOptions<T extends Record<string, number>>(defaults: T): T {
  const options = Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, { type: 'string' as const, default: `${value}` }]),
  )
  const { values } = parseArgs({ options })
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)])) as T
}

/** The one-minute load average before the benchmark: figures from a busy machine are not reliable. */
const loadBefore = loadavg()[0] ?? 0

/** Prints the figures and writes them to bench/results, with the command that produced them. */
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

/** The value below which a share (0 to 1) of the values lies. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

export const median = (values: number[]): number => quantile(values, 0.5)

export const rounded = (value: number, digits = 3): number => Number(value.toFixed(digits))
