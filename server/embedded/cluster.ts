import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isProcessAlive } from '../../platform/is-process-alive.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.ts'
import { findServiceAccount, isOpenToOthers, type ServiceAccount } from './service-account.ts'

export const DATABASE_USER = 'parley'

export interface Cluster {
  folder: string
  binaries: PostgresBinaries
  account: ServiceAccount | null
  /** Whether a private folder in the path keeps the account from its files. */
  needsOverride: boolean
}

/** Creates the cluster where there is none. */
export async function openCluster(
  folder: string,
  { dataDir, password }: { dataDir: string; password: string },
): Promise<Cluster> {
  const binaries = await findPostgresBinaries()
  const account = await findServiceAccount(folder)
  const paths = [dataDir, dirname(binaries.postgres)]
  const needsOverride = account !== null && (await Promise.all(paths.map(isOpenToOthers))).includes(false)
  const cluster = { folder, binaries, account, needsOverride }
  if (!(await exists(join(folder, 'PG_VERSION')))) await initialise(cluster, password)
  return cluster
}

const exists = (path: string): Promise<boolean> => stat(path).then(Boolean, () => false)

/** Creates the cluster in a temporary folder and renames it, so that an interrupted start leaves no partial cluster behind. */
async function initialise(cluster: Cluster, password: string): Promise<void> {
  await removeOldDrafts(cluster.folder)
  const draft = `${cluster.folder}.new-${process.pid}`
  const passwordFile = `${draft}.password`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { mode: 0o700 })
  await writeFile(passwordFile, password, { mode: 0o600 })
  for (const path of [draft, passwordFile])
    if (cluster.account) await chown(path, cluster.account.uid, cluster.account.gid)
  try {
    const user = ['-U', DATABASE_USER, `--pwfile=${passwordFile}`]
    // Iterations protect passwords that people choose. This one is random, and 4,096 of them take half the time of each connection.
    const access = ['--auth=scram-sha-256', '-c', 'scram_iterations=1']
    const locale = ['-E', 'UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    const child = launch(
      cluster,
      cluster.binaries.initdb,
      ['-D', draft, ...user, ...access, ...locale],
      'pipe',
    )
    let output = ''
    child.stdout?.on('data', (data) => (output += data))
    child.stderr?.on('data', (data) => (output += data))
    const [code] = await once(child, 'close')
    if (code !== 0) throw new StartupError(`PostgreSQL could not create its data folder:\n${output.trim()}`)
    await rename(draft, cluster.folder)
  } finally {
    await rm(passwordFile, { force: true })
    await rm(draft, { recursive: true, force: true })
  }
}

/** Removes what an interrupted start left behind. */
async function removeOldDrafts(folder: string): Promise<void> {
  for (const name of await readdir(dirname(folder))) {
    const pid = Number(/^postgres\.new-(\d+)/.exec(name)?.[1] ?? 0)
    if (pid > 0 && !isProcessAlive(pid))
      await rm(join(dirname(folder), name), { recursive: true, force: true })
  }
}

/** Runs in its own session: Ctrl-C signals the whole process group, and would stop the database first. */
export function launch(
  { account, needsOverride }: Cluster,
  program: string,
  args: string[],
  output: 'pipe' | number,
): ChildProcess {
  const env = { PATH: process.env['PATH'], TZ: 'UTC' }
  const common: SpawnOptions = { stdio: ['ignore', output, output], detached: true, cwd: '/', env }
  if (!account) return spawn(program, args, common)
  if (!needsOverride) return spawn(program, args, { ...common, uid: account.uid, gid: account.gid })
  // Behind a private folder the account can't reach its own files without this capability.
  const ids = [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups']
  const capability = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override']
  return spawn('setpriv', [...ids, ...capability, program, ...args], common)
}
