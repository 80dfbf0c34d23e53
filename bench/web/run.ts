import type { BrowserContext } from 'playwright-core'
import { parseNumberOptions, quantile, rounded, saveFigures } from '../deliveries/figures.ts'
import { NETWORKS } from '../portal/open-page.ts'
import { measureBundle } from './bundle.ts'
import { startFixtures } from './fixtures.ts'
import { newSignedIn, openBrowser, scroll, timeToInteractive, timeToRows, watchCpu } from './pages.ts'

/**
 * `npm run bench:web [-- --opens=5 --conversations=100000 --deliveries=10000]`: the dashboard in Chromium. The size of its files,
 * how long it takes until it can be used on a slow machine in a slow network, and how long lists in large projects take to show
 * their first page and how smoothly they scroll, on this machine at full speed.
 */
const options = parseNumberOptions({ opens: 5, conversations: 100_000, deliveries: 10_000 })
const GOALS = { initial_js_gzip_bytes: 220 * 1024, first_page_ms: 300, frames_per_second: 60 }

const bundle = measureBundle()
await using fixtures = await startFixtures(options.conversations, options.deliveries)
const { url, account, projectId, webhookId } = fixtures
const browser = await openBrowser()
const signedIn = await newSignedIn(browser, url, account)

const project = `/projects/${projectId}`
const webhook = `${project}/webhooks/${webhookId}`
const CONVERSATION_ROW = 'main li[aria-posinset]'

async function interactive(context: BrowserContext, path: string, selector: string) {
  const times: number[] = []
  for (let n = 0; n < options.opens; n++)
    times.push(await timeToInteractive(context, `${url}${path}`, selector, NETWORKS.slow_4g))
  return msOf(times)
}

const time_to_interactive = {
  ...NETWORKS.slow_4g,
  sign_in: await interactive(await browser.newContext(), '/', 'button[type=submit]'),
  home: await interactive(signedIn, '/', 'main h1'),
  conversations: await interactive(signedIn, `${project}/conversations`, CONVERSATION_ROW),
}

async function list(from: string, link: string, row: string) {
  const page = await signedIn.newPage()
  const cpu = await watchCpu(page)
  const opened: { ms: number; cpuMs: number }[] = []
  for (let n = 0; n < options.opens; n++)
    opened.push(await timeToRows(page, `${url}${from}`, `a[href="${link}"]`, row, cpu))
  const first_page = {
    ...msOf(opened.map(({ ms }) => ms)),
    main_thread_ms: rounded(
      quantile(
        opened.map(({ cpuMs }) => cpuMs),
        0.5,
      ),
      0,
    ),
  }
  // The list has loaded its first page; scrolling loads the next ones.
  const scrolling = await scroll(page, cpu)
  await page.close()
  return { first_page, scrolling }
}

const lists = {
  conversations: await list(project, `${project}/conversations`, CONVERSATION_ROW),
  deliveries: await list(`${project}/webhooks`, webhook, 'main ul li a[href*="/deliveries/"]'),
}
await browser.close()

await saveFigures('web', { goals: GOALS, ...options, bundle, time_to_interactive, lists })

function msOf(times: number[]) {
  return {
    median_ms: rounded(quantile(times, 0.5), 0),
    slowest_ms: rounded(Math.max(...times), 0),
  }
}
