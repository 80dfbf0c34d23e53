import type { Outcome } from './faults.ts'

const SHOWN = 5

/** The result as a person reads it: what was done, what came of it, and each kind of violation with its first examples. */
export function tableOf(outcome: Outcome): string {
  const { verdict, faults, took, violations } = outcome
  const rows: [string, string | number][] = [
    ['seed', outcome.seed],
    ['conversations finished, withdrawn', `${verdict.finished}, ${verdict.withdrawn}`],
    ['  begun without the phone’s knowledge', verdict.orphans],
    ['chunks, bytes, lines', `${verdict.chunks}, ${verdict.bytes}, ${verdict.lines}`],
    ['whole files, texts, reports', `${verdict.files}, ${verdict.texts}, ${verdict.reports}`],
    ['faults', [...faults.values()].reduce((sum, count) => sum + count, 0)],
    ...[...faults].map(([kind, count]): [string, number] => [`  ${kind}`, count]),
    ...(outcome.diskCanFill
      ? []
      : [['  disk full', 'left out: no disk could be mounted'] as [string, string]]),
    ...[...outcome.firings].map(([point, times]): [string, number] => [
      `  died ${point.replaceAll('_', ' ')}`,
      times,
    ]),
    ['the model', listed(outcome.misbehaved)],
    ['answers to phones', listed(outcome.statuses)],
    ['restarts', listed(outcome.restarts)],
    [
      'took',
      `${took.all.toFixed(0)} s (set-up ${took.setUp.toFixed(0)}, storm ${took.storm.toFixed(0)}, drain ${took.drain.toFixed(0)})`,
    ],
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  const lines = rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`)
  const bad = [...violations].flatMap(([name, found]) => [
    `✖ ${name}: ${found.length}`,
    ...found.slice(0, SHOWN).map((one) => `    ${one}`),
  ])
  return [
    ...lines,
    '',
    ...(bad.length > 0 ? bad : ['✔ every chunk, every word, every report, every event once']),
  ].join('\n')
}

const listed = (counts: ReadonlyMap<string | number, number>): string =>
  [...counts].map(([name, count]) => `${count} × ${name === 0 ? 'none' : name}`).join(', ')
