import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Cluster, startCluster } from '../chaos/framework/cluster.ts'
import { Fixtures, type Keys } from '../chaos/framework/fixtures.ts'
import type { Waits } from '../chaos/framework/waits.ts'
import type { CellAddress } from './mover/session.ts'

/** One complete installation: its own PostgreSQL server, process of the service, and folder of files. */
export interface Cell {
  name: string
  fixtures: Fixtures
  filesFolder: string
  address(): CellAddress
}

/** The mover prepares a transaction at the target. Off by default. */
const TWO_PHASE_COMMIT = 'max_prepared_transactions=4'

export async function openCell(name: string, waits: Waits, keys: Keys): Promise<Cell> {
  const start = (folder: string) => startCluster(folder, { migrates: false, settings: [TWO_PHASE_COMMIT] })
  const fixtures = await Fixtures.start(waits, start, undefined, keys)
  const filesFolder = join(fixtures.folder, 'files of the cell')
  return {
    name,
    fixtures,
    filesFolder,
    address: () => ({
      name,
      databaseUrl: fixtures.cluster.url,
      url: fixtures.apiUrl ?? '',
      filesUrl: pathToFileURL(filesFolder).href,
    }),
  }
}

/** One process for the API and the background work, like `npm start` on a machine with two cores. */
export async function startProcess({ fixtures, filesFolder }: Cell, settings: Record<string, string>) {
  await fixtures.startService('api-1', { ...settings, FILES_URL: pathToFileURL(filesFolder).href })
  await fixtures.up()
}

/** Runs a query in every cell, and returns the rows of all. */
export const queryAll =
  (cells: readonly Cell[]): Cluster['query'] =>
  async (text, values) =>
    (await Promise.all(cells.map(({ fixtures }) => fixtures.cluster.query(text, values)))).flat() as never
