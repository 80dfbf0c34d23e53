import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createLog } from '../../platform/log.ts'
import { newConversation } from '../../test/support/conversations.ts'
import { postponeJob } from '../background/postpone-job.ts'
import type { JobData, Jobs, RunningJob } from '../background/queue.ts'
import { backend, lifecycle, portal, query, setUp } from '../conversations/testing/setup.ts'
import { MAX_WAIT_FOR_MODEL_MS } from '../start/open-engines.ts'
import { createOpenAiSummarizer } from '../summaries/engines/openai/summarizer.ts'
import {
  type FakeModel,
  type ModelHandler,
  reply,
  say,
  start,
} from '../summaries/engines/openai/testing/fake-model.ts'
import { summarizeConversation } from '../summaries/summarize-conversation.ts'
import type { Summarizer } from '../summaries/summarizer.ts'
import { generateReport } from './generation/generate-report.ts'

// The tests run the jobs themselves.
setUp({ enqueues: true })

const parts = (summarizer: Summarizer) => ({
  ...lifecycle(),
  db: backend.database.db,
  log: createLog('silent'),
  summarizer,
})

type Parts = ReturnType<typeof parts>
type Work = (parts: Parts, job: RunningJob) => Promise<void>

/** Runs a job to its end like the queue, but without its pauses. Returns the number of runs. */
async function runToEnd(
  given: Parts,
  name: string,
  work: Work,
  data: JobData,
  pause: () => void = () => {},
): Promise<number> {
  let postponed: JobData | null = data
  const jobs = {
    ...backend.jobs,
    async enqueue(_tx: unknown, _name: string, again: JobData) {
      postponed = again
    },
  } as Jobs
  for (let [runs, retry] = [1, 0]; ; runs++) {
    const job: RunningJob = {
      data: postponed ?? data,
      projectId: null,
      priority: 0,
      retry,
      isLast: retry >= 80,
      signal: new AbortController().signal,
    }
    postponed = null
    try {
      await work(given, job)
      return runs
    } catch (error) {
      assert.ok(runs < 100, 'has no end')
      await postponeJob({ ...given, jobs }, name, job, error).catch(() => {})
      if (postponed === null) {
        postponed = job.data
        retry++
      } else retry = 0
      pause()
    }
  }
}

async function written(content: string): Promise<{ id: string; revision: number }> {
  const { id, send } = await newConversation(portal)
  await send('POST', '/text', { content })
  await send('POST', '/finish')
  const [{ revision }] = await query('select revision from conversations where id = $1', [id])
  return { id, revision }
}

const summarizerOf = (fake: FakeModel) =>
  createOpenAiSummarizer({ server: fake.client(), model: 'a-model', concurrency: 1 })

/** As the service opens it, and the pause after which its circuit breaker allows the next request. */
function serviceSummarizer(fake: FakeModel) {
  let now = 0
  const server = fake.client({
    attempts: 3,
    maxOpenMs: MAX_WAIT_FOR_MODEL_MS,
    random: () => 0.99,
    clock: { now: () => now },
  })
  const pause = () => {
    now += MAX_WAIT_FOR_MODEL_MS
  }
  return { summarizer: createOpenAiSummarizer({ server, model: 'a-model' }), pause }
}

const sentTo = (fake: FakeModel): number => fake.asked.length + fake.verified.length

async function summaryWith(fake: FakeModel, summarizer = summarizerOf(fake), pause?: () => void) {
  const { id, revision } = await written('The benches in the park are broken.')
  const data = { conversation_id: id, revision }
  const runs = await runToEnd(parts(summarizer), 'summarize', summarizeConversation, data, pause)
  const { body } = await portal.owner.get(`/api/v2/conversations/${id}`)
  return { runs, status: body.status, ...body.summary_details }
}

const finished: string[] = []
/** Reports do not change conversations, so that all tests use the same ones. */
async function finishedConversations(count: number): Promise<string[]> {
  while (finished.length < count) {
    const { id } = await written(
      `The benches in park number ${finished.length} are broken, and no one repairs them.`,
    )
    await query(`update conversations set status = 'done' where id = $1`, [id])
    finished.push(id)
  }
  return finished.slice(0, count)
}

async function reportWith(
  fake: FakeModel,
  count: number,
  summarizer = summarizerOf(fake),
  pause?: () => void,
) {
  const ids = await finishedConversations(count)
  const path = `/api/v2/projects/${portal.projectId}/reports`
  const { id } = (await portal.owner.post(path, { conversation_ids: ids })).body
  const runs = await runToEnd(parts(summarizer), 'report', generateReport, { report_id: id }, pause)
  const { body } = await portal.owner.get(`/api/v2/reports/${id}`)
  return { runs, ...body }
}

const note = { text: 'The benches are broken.', sources: ['s1'] }
/** The response of a working model to every request. */
const WORKS = reply({
  title: 'Benches',
  points: [note],
  tags: [],
  notes: [note],
  quotations: [],
  introduction: note,
  sections: [{ heading: 'Benches', paragraphs: [note], quotations: [] }],
})

interface Case {
  name: string
  write: ModelHandler
  verify?: ModelHandler
  fallback: string
  /** For a summary, and for a report on eight conversations. */
  requests: [number, number]
}

const cases: Case[] = [
  { name: 'fails', write: say(503, {}), fallback: 'unavailable', requests: [8, 8] },
  {
    name: 'asks to wait',
    write: say(503, {}, { 'retry-after': '30' }),
    fallback: 'unavailable',
    requests: [8, 8],
  },
  {
    name: 'asks to wait for hours',
    write: say(429, {}, { 'retry-after': '7200' }),
    fallback: 'unavailable',
    requests: [8, 8],
  },
  // Each attempt tries three formats of the response.
  { name: 'rejects every request', write: say(404, {}), fallback: 'unavailable', requests: [12, 12] },
  {
    name: 'runs out of tokens',
    write: reply('{"title": "The ben', { finish_reason: 'length' }),
    fallback: 'token_limit',
    requests: [2, 6],
  },
  { name: 'writes nothing usable', write: reply('Sure!'), fallback: 'unusable', requests: [2, 6] },
  {
    name: 'accepts no prompt',
    write: say(400, { error: { message: 'context length exceeded' } }),
    fallback: 'token_limit',
    requests: [5, 5],
  },
  {
    name: 'fails to verify',
    write: WORKS,
    verify: say(503, {}),
    fallback: 'unavailable',
    // Eight for notes, which are kept, and two for each attempt.
    requests: [16, 24],
  },
  {
    name: 'verifies nothing usable',
    write: WORKS,
    verify: reply('I cannot judge that.'),
    fallback: 'unsupported',
    requests: [5, 13],
  },
]

for (const { name, write, verify, fallback, requests } of cases) {
  const model = async (t: TestContext) => {
    const fake = await start(t, write)
    if (verify) fake.verify = verify
    return fake
  }
  const check = (fake: FakeModel, what: string, limit: number): void =>
    assert.ok(sentTo(fake) <= limit, `${sentTo(fake)} requests for a ${what}, expected at most ${limit}`)

  test(`a model that ${name} ends in selected sentences after a few requests, and the records say so`, async (t) => {
    const first = await model(t)
    const summary = await summaryWith(first)
    assert.deepEqual([summary.status, summary.method, summary.fallback], ['done', 'extractive', fallback])
    check(first, 'summary', requests[0])
    const second = await model(t)
    const report = await reportWith(second, 8)
    assert.deepEqual([report.status, report.method, report.fallback], ['ready', 'extractive', fallback])
    check(second, 'report', requests[1])
    t.diagnostic(`${sentTo(first)} requests for a summary, ${sentTo(second)} for a report`)
  })
}

/** Docs: reports-and-exports.md, "Language model". */
const MAX_REQUESTS_OF_JOB = 12

for (const status of [409, 429, 503])
  test(`a model that always responds with ${status} gets at most ${MAX_REQUESTS_OF_JOB} requests from one job`, async (t) => {
    for (const what of ['summary', 'report'] as const) {
      const fake = await start(t, say(status, {}))
      const { summarizer, pause } = serviceSummarizer(fake)
      const result =
        what === 'summary'
          ? await summaryWith(fake, summarizer, pause)
          : await reportWith(fake, 40, summarizer, pause)
      assert.deepEqual([result.runs, result.method, result.fallback], [8, 'extractive', 'unavailable'])
      const sent = sentTo(fake)
      assert.ok(sent >= 8 && sent <= MAX_REQUESTS_OF_JOB, `${sent} requests for a ${what}`)
      t.diagnostic(`${sent} requests for a ${what}`)
    }
  })
