import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startModel } from '../chaos/conversations/model.ts'
import { createApiClient } from '../chaos/framework/api-client.ts'
import { type Keys, newKeys } from '../chaos/framework/fixtures.ts'
import { seededRandom } from '../chaos/framework/random.ts'
import type { SupervisedProcess } from '../chaos/framework/supervised-process.ts'
import type { Waits } from '../chaos/framework/waits.ts'
import { startEventStreams } from '../cluster/event-streams.ts'
import { type Cell, openCell, queryAll, startProcess } from './cell.ts'
import { checkRun } from './checks/check-run.ts'
import { drain } from './checks/drain.ts'
import type { RunResult } from './checks/run-to-check.ts'
import { addHistory } from './load/history.ts'
import { createOrganisation, type Organisation } from './load/organisation.ts'
import { subscribeReceivers } from './load/receivers.ts'
import { describeMove, type Kills, type MoveRecord, move } from './moves.ts'
import { routerControl } from './router/control-client.ts'
import type { RouterOptions } from './router/main.ts'

export interface CellsSize {
  /** The moves of the first organisation, each to the other cell. */
  moves: readonly Kills[]
  /** Events of yesterday that move with the organisation. */
  history: number
  /** Load before the first move, and after each of them. */
  pauseSeconds: number
  /** The time limit of the run, in seconds. */
  within: number
}

/** Gets what has to be cleaned up at the end. Logs of a failed run stay. */
export type OnStop = (cleanup: (hasPassed: boolean) => Promise<void>) => void

const ORGANISATIONS = 3
const SETTINGS = { WEBHOOK_ALLOW_HTTP: 'on', WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8' }

/** Runs two cells under load, moves an organisation between them, and checks that nothing was lost. */
export async function runCells(
  seed: string,
  size: CellsSize,
  waits: Waits,
  onStop: OnStop,
): Promise<RunResult> {
  const keys = newKeys()
  const [first, second] = (await Promise.all(['A', 'B'].map((name) => openCell(name, waits, keys)))) as [
    Cell,
    Cell,
  ]
  const cells = [first, second]
  for (const { fixtures, name } of cells)
    onStop(async (hasPassed) => {
      await fixtures.stop()
      if (hasPassed) await fixtures.remove()
      else console.log(`The logs of cell ${name} are in ${fixtures.folder}`)
    })
  const model = await startModel(first.fixtures, seed)
  await Promise.all(cells.map((cell) => startProcess(cell, { ...SETTINGS, ...model.settings })))
  model.becomeReliable()

  const router = await startRouter(cells, waits)
  const [routerUrl, controlUrl] = [router.addresses.get('Router'), router.addresses.get('Control') ?? '']
  const organisations = await createOrganisations(() => routerUrl, keys, seed, waits)
  const { receiver, subscriptions } = await subscribeReceivers(first.fixtures.folder, seed, organisations)
  onStop(() => receiver.stop())
  const everywhere = { query: queryAll(cells) }
  const since = new Date()
  const streams = organisations.map(({ client, projects }) =>
    startEventStreams({ apiUrl: routerUrl, cluster: everywhere }, client, projects, since),
  )

  const moved = organisations[0] as Organisation
  if (size.history > 0) await addHistory(moved, first, size.history)
  const load = organisations.map((organisation) => organisation.startLoad())
  const records: MoveRecord[] = []
  const problems: string[] = []
  for (const [index, kills] of size.moves.entries()) {
    await pause(size.pauseSeconds * 1000)
    const direction: [Cell, Cell] = index % 2 === 0 ? [first, second] : [second, first]
    const { record, found } = await waits.for(`move ${index + 1}`, move(moved, direction, controlUrl, kills))
    records.push(record)
    problems.push(...found)
    console.log([describeMove(record), ...found].join('\n    '))
    if (found.length > 0) throw new Error('The move failed; the organisation can still be held.')
  }
  await pause(size.pauseSeconds * 1000)
  await waits.for('the load to stop', Promise.all(load.map((one) => one.stop())))
  const unfinished = await waits.for('the last work', drain(cells, organisations, subscriptions))
  await waits.for('the event streams', Promise.all(streams.map((stream) => stream.catchUp())))
  const traffic = await routerControl(controlUrl).report()
  await Promise.all(cells.map(({ fixtures }) => fixtures.stopProcesses()))

  const cellOf = (index: number): Cell => {
    if (index === 0) return size.moves.length % 2 === 1 ? second : first
    return index % 2 === 1 ? second : first
  }
  return checkRun({
    cells,
    placed: organisations.map((organisation, index) => ({ organisation, cell: cellOf(index) })),
    moved,
    hosts: load.map(({ host }) => host),
    records,
    subscriptions,
    receiver,
    streams,
    traffic,
    problems,
    unfinished,
    modelKey: model.key,
  })
}

async function startRouter(cells: readonly Cell[], waits: Waits): Promise<SupervisedProcess> {
  const { fixtures } = cells[0] as Cell
  const options: RouterOptions = {
    cells: cells.map((cell) => cell.address()),
    directory: join(fixtures.folder, 'directory.json'),
  }
  const process = fixtures.startProgram({
    name: 'router',
    script: () => join(import.meta.dirname, 'router/main.ts'),
    readyText: 'routing',
    environment: () => ({ ROUTER: JSON.stringify(options) }),
  })
  await waits.for('the router', process.up())
  return process
}

/** The router places them alternately. */
async function createOrganisations(
  routerUrl: () => string | undefined,
  keys: Keys,
  seed: string,
  waits: Waits,
): Promise<Organisation[]> {
  const organisations: Organisation[] = []
  for (let n = 0; n < ORGANISATIONS; n++) {
    const random = seededRandom(`${seed}/organisation ${n}`)
    const client = createApiClient(routerUrl, keys.identitySecret, random.uuid())
    organisations.push(await createOrganisation(client, routerUrl, { waits, random, group: `${n}-` }))
  }
  return organisations
}
