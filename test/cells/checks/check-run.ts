import { join } from 'node:path'
import { check as checkConversations } from '../../chaos/conversations/checker.ts'
import { readEvidence } from '../../chaos/conversations/evidence.ts'
import { CANARY } from '../../chaos/conversations/recording.ts'
import { readFolder, type StoredFiles } from '../../chaos/conversations/recording-files.ts'
import type { Violations } from '../../chaos/framework/chaos-run.ts'
import { type Cell, queryAll } from '../cell.ts'
import { checkDeliveries } from './check-deliveries.ts'
import { checkTraffic } from './check-traffic.ts'
import { findMisplaced } from './placement.ts'
import type { Run, RunResult } from './run-to-check.ts'

export async function checkRun(run: Run): Promise<RunResult> {
  const { cells, placed, hosts, streams } = run
  const organisations = placed.map(({ organisation }) => organisation)
  const everywhere = { query: queryAll(cells) }
  const sessions = organisations.flatMap(({ participants }) => participants.sessions)
  const reports = organisations.flatMap((one) => one.reports.accepted)
  const { files, twice } = await readAllFiles(cells)
  const evidence = await readEvidence(everywhere, { read: async () => files })
  const conversations = checkConversations(sessions, reports, evidence)
  const erased = [...evidence.conversations.values()].filter(({ deleted_at }) => deleted_at !== null)
  const deliveries = await checkDeliveries(run, everywhere, new Set(erased.map(({ id }) => id)))
  const traffic = checkTraffic(run)
  const inStreams = streams.map((stream) => stream.check())
  const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0)
  return {
    rows: [
      ...conversations.rows,
      [
        'changes and new projects of hosts',
        `${sum(hosts.map(({ patches }) => patches))}, ${sum(hosts.map(({ created }) => created.length))}`,
      ],
      ...deliveries.rows,
      [
        'events in streams, reconnections',
        `${sum(inStreams.map(({ received }) => received))}, ${sum(inStreams.map(({ reconnections }) => reconnections))}`,
      ],
      ...traffic.rows,
    ],
    violations: {
      ...conversations.violations,
      ...deliveries.violations,
      ...traffic.violations,
      ...mergeViolations(inStreams.map(({ violations }) => violations)),
      'failed or incomplete move': run.problems,
      'row in the wrong cell': await findMisplaced(
        cells.map((cell) => ({
          cell,
          organisations: placed.filter((one) => one.cell === cell).map(({ organisation }) => organisation.id),
        })),
      ),
      'file in two cells': twice,
      'change lost': (await Promise.all(hosts.map((host) => host.findLost(everywhere)))).flat(),
      unfinished: run.unfinished,
      'wrong response of the API': [
        ...organisations.flatMap((one) => [
          ...one.participants.network.wrongResponses,
          ...one.reports.wrongResponses,
        ]),
        ...hosts.flatMap(({ wrongResponses }) => wrongResponses),
      ],
      'unexpected exit': cells.flatMap(({ fixtures }) =>
        fixtures.processes.flatMap((one) => one.unexpectedExits),
      ),
      'secret in a log': await findSecrets(
        run,
        sessions.flatMap(({ token }) => token ?? []),
      ),
    },
  }
}

/** The files of each conversation, whichever cell has them. */
async function readAllFiles(cells: readonly Cell[]): Promise<{ files: StoredFiles; twice: string[] }> {
  const files: StoredFiles = new Map()
  const twice: string[] = []
  for (const { filesFolder } of cells)
    for (const [id, names] of await readFolder(join(filesFolder, 'files/conversations'))) {
      if (files.has(id)) twice.push(id)
      files.set(id, names)
    }
  return { files, twice }
}

const mergeViolations = (all: readonly Violations[]): Violations =>
  Object.fromEntries(
    Object.keys(all[0] ?? {}).map((name) => [name, all.flatMap((violations) => violations[name] ?? [])]),
  )

async function findSecrets(run: Run, tokens: string[]): Promise<string[]> {
  const secrets = [
    run.modelKey,
    CANARY,
    ...tokens,
    ...run.subscriptions.flatMap(({ secret }) => secret ?? []),
  ]
  return (await Promise.all(run.cells.map(({ fixtures }) => fixtures.findSecretsInLogs(secrets)))).flat()
}
