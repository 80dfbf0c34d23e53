import { readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StartupError } from '../../platform/startup-error.ts'

/** PostgreSQL refuses to run as root. If Parley is root, PostgreSQL runs under this account. */
export interface ServiceAccount {
  uid: number
  gid: number
}

/** In order of preference. `nobody` exists on nearly every system. */
const CANDIDATES = ['postgres', 'nobody']

/** Null if Parley does not run as root: PostgreSQL then runs under the same account. */
export async function findServiceAccount(clusterFolder: string): Promise<ServiceAccount | null> {
  if (process.getuid?.() !== 0) return null
  return (await ownerOf(clusterFolder)) ?? (await accountByName())
}

/** An existing cluster keeps the account that owns it. */
async function ownerOf(folder: string): Promise<ServiceAccount | null> {
  const found = await stat(folder).catch(() => null)
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : null
}

async function accountByName(): Promise<ServiceAccount> {
  const passwd = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  for (const name of CANDIDATES) {
    const [, , uid, gid] = passwd.find((fields) => fields[0] === name) ?? []
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new StartupError(
    'PostgreSQL refuses to run as root, and there is no account named `postgres` or `nobody`. Start Parley as an ordinary user, or set DATABASE_URL.',
  )
}

/** Whether accounts other than root can reach `path`; a private folder on the way, such as /root, prevents it. */
export async function isOpenToOthers(path: string): Promise<boolean> {
  for (let folder = path; ; folder = dirname(folder)) {
    const { mode } = await stat(folder)
    if ((mode & 0o001) === 0) return false
    if (folder === dirname(folder)) return true
  }
}
