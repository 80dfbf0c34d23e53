import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before } from 'node:test'
import { type Browser, chromium, type Page } from 'playwright-core'
import { chromiumPath } from '../../portal/support/phone.ts'
import {
  type BackendOptions,
  type Caller,
  callerOf,
  request,
  startBackend,
  type TestBackend,
} from '../../support/backend.ts'
import { takePort } from '../../support/service.ts'

export interface Person extends Caller {
  email: string
  password: string
  name: string
}

/** The backend at an address that browsers can sign in at, with people who have passwords. */
interface Dashboard {
  backend: TestBackend
  admin: Person
  newPerson(firstName: string): Promise<Person>
  /** A browser of its own, signed in. */
  open(person: Person, path?: string): Promise<Page>
}

/** Far longer than a step takes, also on a machine that runs other tests. */
const STEP_MS = 60_000
const VIEWPORT = { width: 1280, height: 800 }

async function startDashboard(options: BackendOptions): Promise<Dashboard & { stop(): Promise<void> }> {
  const { port, release } = await takePort()
  await release()
  const url = `http://127.0.0.1:${port}`
  const backend = await startBackend({ ...options, port, publicUrl: url, allowedOrigins: [url] })
  const browser: Browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: ['--no-sandbox'],
  })
  const tokenOf = async (credentials: { email: string; password: string }): Promise<string> =>
    (await request(`${backend.identityUrl}/auth/login`, 'POST', credentials)).body.access_token
  const authorization = `Bearer ${await tokenOf(backend.admin)}`
  const withIdentity = async (user: { email: string; password: string }, name: string, id: string) => ({
    ...callerOf(url, id, await tokenOf(user)),
    ...user,
    name,
  })
  const me = await request(`${backend.identityUrl}/users/me`, 'GET', undefined, { authorization })
  return {
    backend,
    admin: await withIdentity(backend.admin, 'Admin User', me.body.data.id),
    async newPerson(first_name) {
      const user = { email: `${randomUUID()}@example.com`, password: 'a good password' }
      const made = await request(
        `${backend.identityUrl}/users`,
        'POST',
        { ...user, first_name },
        { authorization },
      )
      return withIdentity(user, first_name, made.body.data.id)
    },
    async open(person, path = '/') {
      const context = await browser.newContext({ viewport: VIEWPORT, locale: 'en-GB' })
      const page = await context.newPage()
      page.setDefaultTimeout(STEP_MS)
      page.on('pageerror', (error) => console.error('page error', error))
      await page.goto(`${url}${path}`)
      await signIn(page, person)
      return page
    },
    stop: async () => {
      await browser.close()
      await backend.stop()
    },
  }
}

/** One dashboard for the tests of a file. */
export function dashboardService(options: BackendOptions = {}): Dashboard {
  const dashboard = {} as Awaited<ReturnType<typeof startDashboard>>
  before(async () => void Object.assign(dashboard, await startDashboard(options)))
  after(() => dashboard.stop())
  return dashboard
}

export async function signIn(page: Page, { email, password }: Pick<Person, 'email' | 'password'>) {
  await page.locator('input[name=email]').fill(email)
  await page.locator('input[name=password]').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor({ state: 'detached' })
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The violations of accessibility rules on a page, in light and in dark. */
export async function axeViolations(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.evaluate(axeSource)
    // Colors change gradually.
    await page.evaluate(
      'Promise.allSettled(document.getAnimations().map(({ finished }) => finished)).then(() => {})',
    )
    const violations = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
      'axe.run(document).then(({ violations }) => violations)',
    )
    for (const { id, nodes } of violations)
      found.push(`${colorScheme} ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
  }
  return found
}
