import { openFileStore } from '../../../storage/open-store.ts'
import { type RouterControl, routerControl } from '../router/control-client.ts'
import { moveOrganisation } from './move-organisation.ts'
import { BUSY_EXIT_CODE, NotQuiet } from './quiesce.ts'
import type { CellAddress } from './session.ts'

/** Given in the environment variable MOVE, as JSON. */
export interface MoveOptions {
  organisation: string
  from: CellAddress
  to: CellAddress
  /** The control interface of the router. */
  routerUrl: string
}

const S3 = { endpoint: null, region: '', accessKeyId: '', secretAccessKey: '' }
const { organisation, from, to, routerUrl } = JSON.parse(process.env['MOVE'] ?? '') as MoveOptions
const router: RouterControl = routerControl(routerUrl)
const [source, target] = await Promise.all(
  [from, to].map(async (cell) => ({ ...cell, files: await openFileStore(cell.filesUrl, S3) })),
)
if (!source || !target) throw new Error('unreachable')
try {
  await moveOrganisation({ organisation, source, target, router })
} catch (error) {
  if (!(error instanceof NotQuiet)) throw error
  console.log(`busy ${error.message}`)
  await router.place(organisation, from.name)
  process.exitCode = BUSY_EXIT_CODE
} finally {
  await source.files.close()
  await target.files.close()
}
