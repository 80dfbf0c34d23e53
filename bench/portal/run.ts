import { speechFile } from '../../test/portal/support/speech.ts'
import { end } from '../../test/support/at-end.ts'
import { parseNumberOptions, quantile, rounded, saveFigures } from '../deliveries/figures.ts'
import { startFixtures } from '../ingest/fixtures.ts'
import { CPU_SLOWDOWN, NETWORKS, type OpenedPage, openPage } from './open-page.ts'
import { recordMinute } from './record-minute.ts'

/**
 * `npm run bench:portal [-- --opens=7 --seconds=60]`: the recording page in Chromium. How long it takes until it can be used on a
 * slow phone in a slow network, what is transferred for that, and what a minute of recording costs the phone.
 */
const options = parseNumberOptions({ opens: 7, seconds: 60 })
const GOALS = { interactive_ms: 1_000, bytes: 45_000 }

await using fixtures = await startFixtures()
await fixtures.startWorker()
const url = `${fixtures.api.url}/p/${fixtures.projectId}`
const { path: microphone } = await speechFile(['en-librivox-1'])

const opened: Record<string, object> = {}
for (const [name, network] of Object.entries(NETWORKS)) {
  const visits: OpenedPage[] = []
  for (let count = 0; count < options.opens; count++) visits.push(await openPage(url, microphone, network))
  opened[name] = { ...network, cpu_slowdown: CPU_SLOWDOWN, ...figuresOf(visits) }
}

await saveFigures('portal', {
  goals: GOALS,
  ...options,
  opened,
  ...(await recordMinute(url, microphone, options.seconds)),
})
await end()

function figuresOf(visits: OpenedPage[]) {
  const ms = (values: number[]) => ({
    median_ms: rounded(quantile(values, 0.5), 0),
    slowest_ms: rounded(Math.max(...values), 0),
  })
  return {
    interactive: ms(visits.map(({ interactiveMs }) => interactiveMs)),
    first_contentful_paint: ms(visits.map(({ firstPaintMs }) => firstPaintMs)),
    bytes: Math.max(...visits.map(({ bytes }) => bytes)),
    requests: Math.max(...visits.map(({ requests }) => requests)),
    responded: visits.every(({ responded }) => responded),
  }
}
