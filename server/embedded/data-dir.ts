import { randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { newEncryptionKey } from '../../platform/encryption.ts'
import { restrictFolderToOwner, restrictToOwner } from '../../storage/file-permissions.ts'

/** Created on the first start; encrypted data and tokens depend on them. */
const secretsSchema = z.object({
  database_password: z.string(),
  identity_secret: z.string(),
  identity_token: z.string(),
  encryption_key: z.string(),
})
export type Secrets = z.output<typeof secretsSchema>

const newSecrets = (): Secrets => ({
  database_password: randomBytes(24).toString('base64url'),
  identity_secret: randomBytes(48).toString('base64url'),
  identity_token: randomBytes(32).toString('base64url'),
  encryption_key: newEncryptionKey(),
})

/** Reads the secrets of the data folder, or creates both. */
export async function openDataDir(dataDir: string): Promise<Secrets> {
  await makePrivate(dataDir)
  const file = join(dataDir, 'secrets.json')
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text !== null) return secretsSchema.parse(JSON.parse(text))
  const secrets = newSecrets()
  await writeDurably(file, JSON.stringify(secrets, null, 2))
  return secrets
}

/** If Parley runs as root, the account of PostgreSQL has to traverse the data folder, without listing or reading it. */
const PASSING = process.getuid?.() === 0 ? 0o011 : 0

const OWN_NAMES = /^(secrets\.json.*|postgres|postgres\..*|files|identity\.pid)$/

/** Creates the folder, or closes an existing one to other accounts. */
async function makePrivate(dataDir: string): Promise<void> {
  const first = await mkdir(dataDir, { recursive: true, mode: 0o700 })
  if (first === undefined) await restrictFolderToOwner(dataDir, (name) => OWN_NAMES.test(name), PASSING)
  // The umask can have removed from new folders what PostgreSQL's account needs.
  else if (PASSING !== 0)
    for (let made = dataDir; made.length >= first.length; made = dirname(made))
      await chmod(made, 0o700 | PASSING)
  for (const name of ['secrets.json', 'postgres.log', 'identity.pid'])
    await restrictToOwner(join(dataDir, name))
}

/** Synced to disk before a secret is used: everything encrypted with a lost one would be unreadable. */
async function writeDurably(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}`
  const handle = await open(draft, 'w', 0o600)
  await handle.writeFile(text)
  await handle.sync()
  await handle.close()
  await rename(draft, file)
  const folder = await open(join(file, '..'), 'r')
  await folder.sync()
  await folder.close()
}
