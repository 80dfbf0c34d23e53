import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface ParleyProcess {
  child: ChildProcess
  /** Until it was ready. */
  seconds: number
  backend: string
  identity: string
  metrics: string
}

/** The whole service by `npm start`, without rate limits. */
export async function startParley(
  folder: string,
  settings: Record<string, string> = {},
): Promise<ParleyProcess> {
  const started = performance.now()
  const environment = {
    ...process.env,
    DATA_DIR: folder,
    PORT: '0',
    IDENTITY_PORT: '0',
    METRICS_PORT: '0',
    ADMIN_PASSWORD: 'bench-password',
    RATE_LIMITS: 'off',
    ...settings,
  }
  const child = spawn('npm', ['start'], {
    cwd: join(import.meta.dirname, '..'),
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  await new Promise<void>((resolve) => {
    // Reads everything, because a full pipe would block the service.
    child.stdout.on('data', (part: Buffer) => {
      if (!output.includes('Ctrl-C')) output += part
      if (output.includes('Ctrl-C')) resolve()
    })
  })
  const addressOf = (name: string) => new RegExp(`${name} +(\\S+)`).exec(output)?.[1] as string
  const seconds = Number(((performance.now() - started) / 1000).toFixed(2))
  return {
    child,
    seconds,
    backend: addressOf('Backend'),
    identity: addressOf('Identity store'),
    metrics: addressOf('Metrics'),
  }
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** A project, and a token of someone who can read it. */
export async function seed({ backend, identity }: ParleyProcess) {
  const post = async (url: string, body: unknown, token = '') => {
    const headers = {
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    }
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await response.json()) as Record<string, string>
  }
  const { access_token: token = '' } = await post(`${identity}/auth/login`, {
    email: 'admin@example.com',
    password: 'bench-password',
  })
  const create = async (path: string) =>
    (await post(`${backend}/api/v2/${path}`, { name: 'Bench' }, token))['id']
  const organisation = await create('organisations')
  const workspace = await create(`organisations/${organisation}/workspaces`)
  const projectId = await create(`workspaces/${workspace}/projects`)
  return { token, projectId }
}

/** The database URL and the identity secret of a service, from its data folder. */
export async function readDataDir(folder: string) {
  const secrets = JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8')) as Record<string, string>
  const port = (await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8')).split('\n')[3]
  const databaseUrl = `postgres://parley:${secrets['database_password']}@127.0.0.1:${port}/parley`
  return { databaseUrl, secret: secrets['identity_secret'] as string }
}
