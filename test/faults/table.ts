import type { Outcome } from './faults.ts'
import { FAULT_KINDS } from './storm.ts'

const SHOWN = 5

/** The result as a person reads it: what was done, what came of it, and each kind of violation with its first examples. */
export function tableOf(outcome: Outcome): string {
  const { verdict, faults, drain, took, violations } = outcome
  const { duplicates } = verdict
  const count = (name: string) => violations.get(name)?.length ?? 0
  const rows: [string, string | number][] = [
    ['seed', outcome.seed],
    ['events committed', verdict.events],
    ['pairs owed to healthy receivers', verdict.pairs],
    ['pairs at hostile receivers, delivered so far', `${verdict.hostilePairs}, ${verdict.hostileDelivered}`],
    ['requests received', verdict.requests],
    ['kills', outcome.kills],
    ...FAULT_KINDS.map((kind): [string, number] => [
      `  ${kind}`,
      faults.filter((fault) => fault.kind === kind).length,
    ]),
    ...[...outcome.firings].map(([point, times]): [string, number] => [
      `  died ${point.replaceAll('_', ' ')}`,
      times,
    ]),
    ['restarts', [...outcome.restarts].map(([name, times]) => `${name} ${times}`).join(', ')],
    ['lost', count('lost')],
    ['ghost', count('ghost')],
    ['wrong signature', count('wrong signature')],
    ['duplicates, explained', duplicates.explained],
    ['duplicates of the frozen, sent on waking', duplicates.afterAwakening],
    ['duplicates, unexplained', duplicates.unexplained.length],
    [
      'failed attempts at healthy receivers',
      [...verdict.failedAttemptsAtHealthy].map(([name, times]) => `${times} × ${name}`).join(', ') || 0,
    ],
    [
      'healthy backlog drained in, of',
      `${drain.seconds.toFixed(1)} s, ${drain.limit.toFixed(1)} s (retries owe ${drain.owed.toFixed(1)} s)`,
    ],
    [
      'took',
      `${took.all.toFixed(0)} s (set-up ${took.setUp.toFixed(0)}, storm ${took.storm.toFixed(0)}, calm ${took.calm.toFixed(0)})`,
    ],
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  const lines = rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`)
  const bad = [...violations].flatMap(([name, found]) => [
    `✖ ${name}: ${found.length}`,
    ...found.slice(0, SHOWN).map((one) => `    ${one}`),
  ])
  return [...lines, '', ...(bad.length > 0 ? bad : ['✔ nothing lost, nothing made up'])].join('\n')
}
