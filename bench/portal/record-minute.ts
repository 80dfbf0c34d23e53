import { readdirSync, readFileSync } from 'node:fs'
import type { CDPSession, Page } from 'playwright-core'
import { newPhone, startRecording } from '../../test/portal/support/phone.ts'

/** The resources that a page uses, per second or per minute of recording. */
export interface PageCost {
  main_thread_ms_per_minute: number
  script_ms_per_minute: number
  layout_and_style_ms_per_minute: number
  /** Voluntary context switches: a thread that waited was woken up. */
  main_thread_wakeups_per_second: number
  renderer_wakeups_per_second: number
  renderer_cpu_ms_per_minute: number
  requests_per_minute: number
  audio_bytes_per_minute: number
}

interface Sample {
  at: number
  task: number
  script: number
  layout: number
  mainWakeups: number
  wakeups: number
  cpu: number
}

/** Records for a while after the first seconds, and the same for a page that shows only its first screen. */
export async function recordMinute(
  url: string,
  microphone: string,
  seconds: number,
): Promise<{ recording: PageCost; welcome: PageCost }> {
  await using phone = await newPhone(microphone, { hasDisk: true })
  const page = await phone.open(url)
  const tools = await phone.context.newCDPSession(page)
  await tools.send('Performance.enable', { timeDomain: 'threadTicks' })
  let [requests, sent] = [0, 0]
  page.on('response', async (response) => {
    requests += 1
    // The server says how long a chunk was. The last response is cut off when the page is closed.
    const chunk = response.url().includes('/chunks/') ? await response.json().catch(() => null) : null
    sent += chunk?.bytes ?? 0
  })
  const renderer = await findRenderer(page)
  const measure = async (): Promise<PageCost> => {
    const before = await sample(tools, renderer)
    ;[requests, sent] = [0, 0]
    await page.waitForTimeout(seconds * 1_000)
    return costBetween(before, await sample(tools, renderer), { requests, sent })
  }
  const welcome = await measure()
  await startRecording(page)
  // The first pieces open the database and the conversation.
  await page.waitForTimeout(8_000)
  return { recording: await measure(), welcome }
}

const BUSY_MS = 500
const ATTEMPTS = 10

/** The process of the page: of our own processes that draw pages, the one that works when the page does. */
async function findRenderer(page: Page): Promise<number> {
  const isOurs = (pid: number): boolean => pid === process.pid || (pid > 1 && isOurs(parentOf(pid)))
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const renderers = readdirSync('/proc')
      .map(Number)
      .filter((pid) => readProc(pid, 'cmdline').includes('--type=renderer') && isOurs(pid))
      .map((pid) => ({ pid, before: cpuMsOf(pid) }))
    const usedMs = await page.evaluate<number>(BE_BUSY)
    const found = renderers.filter(({ pid, before }) => cpuMsOf(pid) - before > usedMs / 4)
    if (found.length === 1) return found[0]?.pid as number
  }
  throw new Error('The process of the page was not found.')
}

const BE_BUSY = `(() => {
  const since = performance.now()
  while (performance.now() - since < ${BUSY_MS});
  return performance.now() - since
})()`

/** Empty for a process that has ended. */
function readProc(pid: number | string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

const parentOf = (pid: number): number => Number(/^PPid:\s+(\d+)/m.exec(readProc(pid, 'status'))?.[1] ?? 0)

async function sample(tools: CDPSession, pid: number): Promise<Sample> {
  const { metrics } = await tools.send('Performance.getMetrics')
  const seconds = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? 0
  return {
    at: performance.now(),
    task: seconds('TaskDuration'),
    script: seconds('ScriptDuration'),
    layout: seconds('LayoutDuration') + seconds('RecalcStyleDuration'),
    ...wakeupsOf(pid),
    cpu: cpuMsOf(pid),
  }
}

/** The main thread has the number of its process. */
function wakeupsOf(pid: number): { mainWakeups: number; wakeups: number } {
  const all = readdirSync(`/proc/${pid}/task`).map((thread) => ({ thread, count: switchesOf(pid, thread) }))
  return {
    mainWakeups: all.find(({ thread }) => thread === String(pid))?.count ?? 0,
    wakeups: all.reduce((sum, { count }) => sum + count, 0),
  }
}

const switchesOf = (pid: number, thread: string): number =>
  Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(readProc(pid, `task/${thread}/status`))?.[1] ?? 0)

const TICK_MS = 10

function cpuMsOf(pid: number): number {
  const fields = readProc(pid, 'stat').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

function costBetween(before: Sample, after: Sample, sent: { requests: number; sent: number }): PageCost {
  const seconds = (after.at - before.at) / 1_000
  const perMinute = (value: number) => Math.round((value / seconds) * 60)
  const perSecond = (value: number) => Number((value / seconds).toFixed(1))
  return {
    main_thread_ms_per_minute: perMinute((after.task - before.task) * 1_000),
    script_ms_per_minute: perMinute((after.script - before.script) * 1_000),
    layout_and_style_ms_per_minute: perMinute((after.layout - before.layout) * 1_000),
    main_thread_wakeups_per_second: perSecond(after.mainWakeups - before.mainWakeups),
    renderer_wakeups_per_second: perSecond(after.wakeups - before.wakeups),
    renderer_cpu_ms_per_minute: perMinute(after.cpu - before.cpu),
    requests_per_minute: perMinute(sent.requests),
    audio_bytes_per_minute: perMinute(sent.sent),
  }
}
