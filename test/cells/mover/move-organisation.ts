import type pg from 'pg'
import { WAKE_CHANNEL } from '../../../delivery/index.ts'
import type { FileStore } from '../../../storage/file-store.ts'
import type { RouterControl } from '../router/control-client.ts'
import { copyRows, deleteRows, type Selection, selectTables } from './copy-rows.ts'
import { takeQueues } from './delivery-queues.ts'
import {
  completeFiles,
  copyFiles,
  type Folders,
  readFolders,
  readRejoined,
  removeFiles,
} from './organisation-files.ts'
import { nextTransaction, prepareTarget } from './prepare-target.ts'
import { quiesce } from './quiesce.ts'
import { type CellAddress, hasOrganisation, openSession } from './session.ts'
import { reach } from './steps.ts'

interface Cell extends CellAddress {
  files: FileStore
}

export interface Move {
  organisation: string
  source: Cell
  target: Cell
  router: RouterControl
}

/** The counts of a move, which it prints. */
export interface Moved {
  rows: number
  /** Copied while the organisation was running, and while its requests were held. */
  filesBefore: number
  filesDuring: number
  /** Endpoint queues with a request in flight, whose result is not recorded. */
  interrupted: number
}

/** The connections of a move. Both are closed when it ends. */
interface Sessions {
  source: pg.Client
  target: pg.Client
}

/**
 * Moves an organisation to another cell. Can be killed at any moment and called again: the rows are in exactly one cell at any time,
 * and which one decides how it continues.
 */
export async function moveOrganisation(move: Move): Promise<void> {
  const { organisation, source, target } = move
  const sessions: Sessions = {
    source: await openSession(source, organisation),
    target: await openSession(target, organisation),
  }
  try {
    await decidePrepared(sessions, organisation)
    if (await hasOrganisation(sessions.source, organisation)) await moveRows(move, sessions)
    else if (!(await hasOrganisation(sessions.target, organisation)))
      throw new Error(`Neither ${source.name} nor ${target.name} has the organisation.`)
    await finish(move, sessions)
  } finally {
    await Promise.all([sessions.source.end(), sessions.target.end()])
  }
}

const nameOf = (organisation: string): string => `move of ${organisation}`

/** If an earlier mover was killed after it had prepared the target, the commit at the source decides about that transaction. */
async function decidePrepared({ source, target }: Sessions, organisation: string): Promise<void> {
  const name = nameOf(organisation)
  const { rowCount } = await target.query('select from pg_prepared_xacts where gid = $1', [name])
  if (rowCount === 0) return
  const isAtSource = await hasOrganisation(source, organisation)
  await target.query(`${isAtSource ? 'rollback' : 'commit'} prepared '${name}'`)
}

async function moveRows(move: Move, sessions: Sessions): Promise<void> {
  const { organisation, source, target, router } = move
  const { rows } = await sessions.source.query<{ now: string }>('select clock_timestamp()::text as now')
  const began = rows[0]?.now ?? ''
  const folders = await readFolders(sessions.source, organisation)
  const filesBefore = await copyFiles(source.files, target.files, folders)
  await prepareTarget(sessions.source, sessions.target)
  const selections = await selectTables(sessions.source)
  reach('files copied beforehand')

  // Deliveries wait from here on. Those in flight end while the organisation is still running.
  const queues = await takeQueues(source, organisation)
  try {
    reach('queues taken')
    await router.hold(organisation)
    reach('requests held')
    await sessions.source.query('begin')
    await quiesce(sessions.source, organisation)
    reach('source quiet')
    const copied = await transfer(move, sessions, selections, began)
    await sessions.source.query('commit')
    reach('rows deleted at the source')
    await sessions.target.query(`commit prepared '${nameOf(organisation)}'`)
    reach('target committed')
    const { interrupted } = queues
    console.log(`moved ${JSON.stringify({ ...copied, filesBefore, interrupted } satisfies Moved)}`)
  } catch (error) {
    await sessions.source.query('rollback')
    await decidePrepared(sessions, organisation)
    throw error
  } finally {
    await queues.release()
  }
}

/** Until the source commits, the rows and files at the target count for nothing. */
async function transfer(
  { organisation, source, target }: Move,
  sessions: Sessions,
  selections: readonly Selection[],
  began: string,
): Promise<Pick<Moved, 'rows' | 'filesDuring'>> {
  await sessions.target.query('begin')
  try {
    await requireLaterTransaction(sessions)
    const tables = await copyRows(sessions.source, sessions.target, organisation, selections)
    const folders = await readFolders(sessions.source, organisation)
    const rejoined = await readRejoined(sessions.source, folders, began)
    const filesDuring = await completeFiles(source.files, target.files, folders, rejoined)
    reach('new files copied')
    await sessions.target.query(`prepare transaction '${nameOf(organisation)}'`)
    reach('target prepared')
    await deleteRows(sessions.source, organisation, tables)
    return { rows: tables.reduce((sum, { copied }) => sum + copied.count, 0), filesDuring }
  } catch (error) {
    await sessions.target.query('rollback')
    throw error
  }
}

/** See `prepareTarget`: positions in event streams of the source must lie before every new row of the target. */
async function requireLaterTransaction({ source, target }: Sessions): Promise<void> {
  if ((await nextTransaction(target)) < (await nextTransaction(source)))
    throw new Error('The source started more transactions than expected. Run the command again.')
}

/** The last steps, when the rows are at the target. */
async function finish({ organisation, source, target, router }: Move, sessions: Sessions): Promise<void> {
  await wake(sessions.target, organisation)
  await router.place(organisation, target.name)
  reach('directory switched')
  const folders: Folders = await readFolders(sessions.target, organisation)
  await removeFiles(source.files, folders)
}

/** Without it, dispatchers of the target would find the deliveries only when they poll. */
async function wake(target: pg.Client, organisation: string): Promise<void> {
  await target.query(
    `select pg_notify('${WAKE_CHANNEL}', ' ' || w.id) from webhooks w join projects p on p.id = w.project_id
     join workspaces s on s.id = p.workspace_id where s.organisation_id = $1`,
    [organisation],
  )
}
