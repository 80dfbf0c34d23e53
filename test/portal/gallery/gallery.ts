import { type Browser, chromium } from 'playwright-core'
import type { Caller } from '../../support/backend.ts'
import { asAdmin, newPassword, startService, temporaryFolder } from '../../support/service.ts'
import { chromiumPath } from '../support/phone.ts'
import { speechFile } from '../support/speech.ts'
import { fieldsOf, type GalleryLanguage, logoOf, PROJECTS } from './projects.ts'
import type { Scene, SceneContext } from './scenes.ts'

/** Resolves to this machine, and is not a secure context, as `localhost` would be. */
const INSECURE_HOST = 'parley.example'

/** The service with example projects, and a browser whose microphone plays speech. */
export interface Gallery {
  /** Opens a page in the state that the scene describes. Close its browser context when done with it. */
  open(scene: Scene, language: GalleryLanguage, options?: ViewOptions): Promise<OpenScene>
  /** A browser on which nothing is open yet. */
  newContext(
    language: GalleryLanguage,
    options?: ViewOptions & Pick<Scene, 'isClosed' | 'isInsecure'>,
  ): Promise<SceneContext>
  close(): Promise<void>
}

interface ViewOptions {
  width?: number
  colorScheme?: 'light' | 'dark'
  deviceScaleFactor?: number
}

type OpenScene = Pick<SceneContext, 'page' | 'browserContext' | 'rejections'>

export const heightFor = (width: number): number => (width < 500 ? 740 : width < 1000 ? 1024 : 800)

export async function openGallery(): Promise<Gallery> {
  const password = newPassword()
  const [service, { path: microphone }] = await Promise.all([
    // Without a worker: no screen waits for a transcript.
    startService(await temporaryFolder(), {
      environment: { ADMIN_PASSWORD: password, RATE_LIMITS: 'off', ROLES: 'api' },
    }),
    speechFile(['en-librivox-1']),
  ])
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: [
      '--no-sandbox',
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream=device-count=2',
      `--use-file-for-fake-audio-capture=${microphone}`,
      '--autoplay-policy=no-user-gesture-required',
      `--host-resolver-rules=MAP ${INSECURE_HOST} 127.0.0.1`,
    ],
  })
  const origin = service.address('Backend')
  const projects = new Map<string, Promise<string>>()
  const projectOf = (language: GalleryLanguage, isOpen: boolean): Promise<string> => {
    const key = `${language} ${isOpen}`
    // Each time with a new token: all pictures take longer than the 15 minutes of one.
    const create = async () => createProject(browser, await asAdmin(service, password), language, isOpen)
    const known = projects.get(key) ?? create()
    projects.set(key, known)
    return known
  }
  const gallery: Gallery = {
    async newContext(language, { width = 360, isClosed = false, isInsecure = false, ...options } = {}) {
      const browserContext = await browser.newContext({
        viewport: { width, height: heightFor(width) },
        locale: { en: 'en-GB', de: 'de-DE', ar: 'ar-EG' }[language],
        ...options,
      })
      // Far longer than a step takes, also on a busy machine.
      browserContext.setDefaultTimeout(120_000)
      const page = await browserContext.newPage()
      const rejections: string[] = []
      page.on('response', async (response) => {
        if (response.status() < 400) return
        const body = await response.text().catch(String)
        rejections.push(`${response.request().method()} ${response.url()}: ${response.status()} ${body}`)
      })
      const project = await projectOf(language, !isClosed)
      const host = isInsecure ? origin.replace('127.0.0.1', INSECURE_HOST) : origin
      return { page, browserContext, url: `${host}/p/${project}`, rejections, said: PROJECTS[language].said }
    },
    async open(scene, language, options) {
      const { isClosed = false, isInsecure = false } = scene
      const context = await gallery.newContext(language, { ...options, isClosed, isInsecure })
      const { page, browserContext, rejections } = context
      await scene.reach(context)
      await page.evaluate('Promise.all([...document.images].map((image) => image.decode()))')
      return { page, browserContext, rejections }
    },
    async close() {
      await browser.close()
      await service.stop()
    },
  }
  return gallery
}

async function createProject(
  browser: Browser,
  admin: Caller,
  language: GalleryLanguage,
  isOpen: boolean,
): Promise<string> {
  const create = async (path: string, body: object): Promise<string> => {
    const { status, text, body: created } = await admin.post(`/api/v2/${path}`, body)
    if (status !== 201) throw new Error(text)
    return created.id
  }
  const organisation = await create('organisations', { name: PROJECTS[language].organisation })
  const workspace = await create(`organisations/${organisation}/workspaces`, { name: 'Parks' })
  const project = await create(`workspaces/${workspace}/projects`, {
    name: 'Park',
    ...fieldsOf(language),
    is_open: isOpen,
  })
  const page = await browser.newPage()
  await page.setContent(logoOf(language))
  const png = await page.locator('div').screenshot({ omitBackground: true })
  await page.close()
  const path = `/api/v2/projects/${project}/logo`
  const { status, text } = await admin.send('PUT', path, png, { 'content-type': 'image/png' })
  if (status !== 200) throw new Error(text)
  return project
}
