import { backDate } from './back-date.ts'
import { sendRecording, sendStory, untilProcessed, untilReady } from './conversations.ts'
import { ENDPOINTS } from './endpoints.ts'
import { createTenants, PEOPLE, type Service } from './people.ts'
import { DAYS, type ProjectKey, storiesOf } from './projects.ts'
import type { DemoReceiver } from './receiver.ts'
import { LIVE, RECORDINGS } from './recordings.ts'
import type { RunningService } from './service.ts'
import type { DemoState } from './state.ts'
import type { Terminal } from './terminal.ts'
import { createWebhooks, disableOnDay, untilAttempted } from './webhooks.ts'

const REPORTS: { project: ProjectKey; title: string; published: boolean }[] = [
  { project: 'harbour', title: 'What the old harbour needs', published: true },
  { project: 'hospital', title: 'Nights on the wards', published: false },
]

const storyCount = (): number =>
  Array.from({ length: DAYS }, (_, day) => storiesOf(day + 1).length).reduce((sum, count) => sum + count, 0)

export const CONVERSATIONS = storyCount() + RECORDINGS.length + LIVE.length

type Filled = Pick<DemoState, 'organisation' | 'workspace' | 'projects' | 'webhooks' | 'reports'>

/** Creates everything through the API, a day of the last week after the other, and moves it to those days at the end. */
export async function fill(
  service: RunningService,
  { password }: Pick<DemoState, 'password'>,
  receiver: DemoReceiver,
  terminal: Terminal,
): Promise<Filled> {
  const account: Service = { ...service, password }
  const { host, organisation, workspace, projects } = await terminal.step(
    'Creating people and projects',
    () => createTenants(account),
    () => `${PEOPLE.length + 1} people, 2 organisations, 3 projects on the Changemaker tier`,
  )
  const webhooks = await terminal.step(
    'Registering webhooks',
    () => createWebhooks(host, receiver, projects),
    () => `${ENDPOINTS.length} webhooks, to a receiver that verifies every signature`,
  )
  const projectOf = (key: ProjectKey): string => projects[key] as string

  const moves = new Map<string, Date>()
  await terminal.step(
    'Writing a week of conversations',
    async (progress) => {
      const total = storyCount()
      for (let day = DAYS; day > 0; day--) {
        receiver.day = day
        await disableOnDay(host, webhooks, day)
        for (const story of storiesOf(day)) {
          moves.set(await sendStory(host.url, projectOf(story.project), story), story.at)
          progress(moves.size, total)
        }
        await untilProcessed(host, projects)
        await untilAttempted(host, webhooks)
      }
      receiver.day = 0
    },
    () => `${moves.size} conversations in six languages, transcribed and summarised`,
  )
  await terminal.step(
    'Moving them into the last week',
    async () => backDate(await service.databaseUrl(), moves, webhooks),
    (count) => `A history of seven days, with ${count} deliveries`,
  )

  const reports: Record<string, string> = {}
  await terminal.step(
    'Generating reports',
    async (progress) => {
      for (const { project, title, published } of REPORTS) {
        const body = { title, language: 'en' }
        const { id } = await host.post(`/api/v2/projects/${projectOf(project)}/reports`, body)
        await untilReady(host, id)
        if (published) await host.send('PATCH', `/api/v2/reports/${id}`, { published })
        reports[project] = id
        progress(Object.keys(reports).length, REPORTS.length)
      }
    },
    () => `${REPORTS.length} reports, one of them published`,
  )
  await terminal.step(
    'Sending recordings',
    async (progress) => {
      for (const [index, recording] of RECORDINGS.entries()) {
        await sendRecording(host, projectOf(recording.project), recording)
        progress(index + 1, RECORDINGS.length)
      }
    },
    () => `${RECORDINGS.length} recordings, two of them damaged`,
  )
  return { organisation, workspace, projects, webhooks, reports }
}
