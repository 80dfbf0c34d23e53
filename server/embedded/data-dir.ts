import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { newEncryptionKey } from '../kernel/encryption.ts'

/** What is made on first start and must stay the same ever after. */
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

/** Opens the data folder: its secrets are read, or made where it is new. */
export async function openDataDir(dataDir: string): Promise<Secrets> {
  // Others may pass through, since PostgreSQL's account must reach its own folder in it; each file inside is closed to them.
  await mkdir(dataDir, { recursive: true, mode: 0o711 })
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

/** On disk before anything is encrypted or signed with it: a half-written file would lose all of that. */
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
