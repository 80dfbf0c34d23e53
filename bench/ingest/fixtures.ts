import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { SignJWT } from 'jose'
import { newEncryptionKey } from '../../platform/encryption.ts'
import { buildOrDispose, startPostgres } from '../resources.ts'
import { PARLEY, type RunningProcess, startProcess } from './processes.ts'

const USER = '01890000-0000-7000-8000-000000000001'

/** Processes of Parley, its PostgreSQL, and a minimal server that writes to the same disk for comparison. */
export interface Fixtures extends AsyncDisposable {
  databaseUrl: string
  api: RunningProcess
  bare: RunningProcess
  projectId: string
  /** The `Authorization` header of a user who can read the project. */
  authorization: string
  /** The `Authorization` header of another user. */
  authorizationOf(userId: string): Promise<string>
  startWorker(): Promise<RunningProcess>
}

/** `changes`: settings other than those of `settingsOf`. */
export const startFixtures = (changes: Record<string, string> = {}): Promise<Fixtures> =>
  buildOrDispose((stack) => build(stack, changes))

async function build(stack: AsyncDisposableStack, changes: Record<string, string>): Promise<Fixtures> {
  const { folder, url: databaseUrl } = await startPostgres(stack)
  const start = async (...args: Parameters<typeof startProcess>): Promise<RunningProcess> => {
    const running = await startProcess(...args)
    stack.defer(() => running.stop())
    return running
  }
  const [files, bareFiles] = [join(folder, 'files'), join(folder, 'bare')]
  await mkdir(bareFiles)
  const model = await start('instant-model.ts', [])
  const secret = randomBytes(32).toString('hex')
  const settings = { ...settingsOf(databaseUrl, files, model.url, secret), ...changes }
  const startService = (roles: string) => start(PARLEY, [], { ...settings, ROLES: roles }, 'Ctrl-C')
  const api = await startService('api')
  const authorizationOf = async (userId: string) => `Bearer ${await tokenOf(secret, userId)}`
  const authorization = await authorizationOf(USER)
  return {
    databaseUrl,
    api,
    bare: await start('bare.ts', [bareFiles]),
    projectId: await newProject(api.url, authorization),
    authorization,
    authorizationOf,
    startWorker: () => startService('worker'),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

const settingsOf = (databaseUrl: string, files: string, model: string, secret: string) => ({
  DATABASE_URL: databaseUrl,
  FILES_URL: pathToFileURL(files).href,
  ENCRYPTION_KEY: newEncryptionKey(),
  // No identity store listens there: access tokens are verified with the secret alone.
  IDENTITY_URL: 'http://127.0.0.1:9',
  IDENTITY_SECRET: secret,
  TRANSCRIBER: 'openai',
  TRANSCRIBE_VOICE_DETECTION: 'off',
  OPENAI_BASE_URL: `${model}/v1`,
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'error',
  PORT: '0',
  METRICS_PORT: '0',
})

function tokenOf(secret: string, userId: string): Promise<string> {
  return new SignJWT({ id: userId, role: null, app_access: true, admin_access: false, iss: 'directus' })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(secret))
}

async function newProject(url: string, authorization: string): Promise<string> {
  const create = async (path: string) => {
    const response = await fetch(`${url}/api/v2/${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Bench' }),
    })
    return ((await response.json()) as { id: string }).id
  }
  const organisation = await create('organisations')
  const workspace = await create(`organisations/${organisation}/workspaces`)
  return create(`workspaces/${workspace}/projects`)
}
