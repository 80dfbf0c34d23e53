import type { Page } from 'playwright-core'
import type { Demo } from '../../../scripts/demo/start-demo.ts'

/** A screen of the dashboard, as the demo fills it. Add one here, and `npm run docs:screenshots:dashboard` takes its pictures. */
export interface Screen {
  name: string
  /** The user whose session it shows, by default the host; null: without a session. */
  as?: 'host' | 'staff' | null
  path: string | ((demo: Demo) => string | Promise<string>)
  /** Steps to take once the page is loaded. */
  reach?: (page: Page, demo: Demo) => Promise<unknown>
}

const project =
  (key: string, rest = '') =>
  (demo: Demo): string =>
    `/projects/${demo.projects[key]}${rest}`
const webhook =
  (slug: string, rest = '') =>
  (demo: Demo): string => {
    const { project: pid, id } = demo.webhooks[slug] as Demo['webhooks'][string]
    return `/projects/${pid}/webhooks/${id}${rest}`
  }

/** The first conversation of a list, by the query of the API. */
const conversation =
  (key: string, query: string) =>
  async ({ api, projects }: Demo): Promise<string> => {
    const pid = projects[key]
    const { data } = await api.get<{ data: { id: string }[] }>(
      `/api/v2/projects/${pid}/conversations?${query}`,
    )
    return `/projects/${pid}/conversations/${data[0]?.id}`
  }

const delivery =
  (slug: string, query: string) =>
  async ({ api, webhooks }: Demo): Promise<string> => {
    const { project: pid, id } = webhooks[slug] as Demo['webhooks'][string]
    const path = `/api/projects/${pid}/webhooks/${id}/deliveries`
    // Before the demo started: the log hides what receivers in the operator's own network respond.
    const until = new Date(Date.now() - 86_400_000 / 2).toISOString()
    const { data } = await api.get<{ data: { id: string; attempts: number }[] }>(
      `${path}?limit=50&until=${until}&${query}`,
    )
    const [longest] = data.toSorted((a, b) => b.attempts - a.attempts)
    return `/projects/${pid}/webhooks/${id}/deliveries/${longest?.id}`
  }

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click()

/** Every screen, in the order of a tour. */
export const SCREENS: Screen[] = [
  { name: 'sign-in', as: null, path: '/' },
  { name: 'home', path: '/' },
  { name: 'palette', path: '/', reach: (page) => page.keyboard.press('Control+k') },
  { name: 'project', path: project('harbour') },
  { name: 'project-settings', path: project('harbour', '/settings') },
  {
    name: 'project-settings-preview',
    path: project('harbour', '/settings'),
    reach: async (page) => {
      const show = page.getByRole('button', { name: 'Show', exact: true })
      // On a phone the preview is closed at first.
      if (await show.isVisible()) await show.click()
      await button(page, 'Recording')
    },
  },
  { name: 'poster', path: project('harbour', '/poster') },
  { name: 'live-room', path: project('harbour', '/live') },
  { name: 'conversations', path: project('harbour', '/conversations') },
  { name: 'conversations-search', path: project('harbour', '/conversations?q=water') },
  { name: 'conversations-failed', path: project('harbour', '/conversations?status=failed') },
  { name: 'conversation', path: conversation('harbour', 'source=portal_audio&status=done') },
  { name: 'conversation-text', path: conversation('harbour', 'source=portal_text&status=done') },
  { name: 'conversation-failed', path: conversation('harbour', 'status=failed') },
  { name: 'reports', path: project('harbour', '/reports') },
  {
    name: 'report',
    path: (demo) => `/projects/${demo.projects['harbour']}/reports/${demo.reports['harbour']}`,
  },
  { name: 'report-public', as: null, path: (demo) => `/r/${demo.reports['harbour']}` },
  { name: 'webhooks', path: project('harbour', '/webhooks') },
  {
    name: 'webhook-new',
    path: project('harbour', '/webhooks'),
    reach: (page) => button(page, 'New webhook'),
  },
  { name: 'webhook-events', path: project('harbour', '/webhooks/events') },
  { name: 'webhook', path: webhook('neighbourhood-map', '?range=30d') },
  { name: 'webhook-failing', path: webhook('planning-department', '?range=30d') },
  { name: 'webhook-disabled', path: webhook('old-archive', '?range=30d') },
  { name: 'webhook-guide', path: webhook('neighbourhood-map', '?tab=guide') },
  { name: 'webhook-settings', path: webhook('neighbourhood-map', '?tab=settings') },
  { name: 'delivery', path: delivery('neighbourhood-map', 'status=succeeded&event=conversation.summarized') },
  { name: 'delivery-failed', path: delivery('translation-desk', 'status=failed') },
  { name: 'organisation', path: (demo) => `/organisations/${demo.organisation}` },
  { name: 'organisation-members', path: (demo) => `/organisations/${demo.organisation}/members` },
  { name: 'audit', path: (demo) => `/organisations/${demo.organisation}/audit` },
  { name: 'organisation-settings', path: (demo) => `/organisations/${demo.organisation}/settings` },
  { name: 'workspace', path: (demo) => `/workspaces/${demo.workspace}` },
  { name: 'workspace-members', path: (demo) => `/workspaces/${demo.workspace}/members` },
  { name: 'workspace-settings', path: (demo) => `/workspaces/${demo.workspace}/settings` },
  { name: 'profile', path: '/profile' },
  { name: 'staff', as: 'staff', path: '/staff' },
  { name: 'staff-organisations', as: 'staff', path: '/staff/organisations' },
  { name: 'staff-workspaces', as: 'staff', path: '/staff/workspaces' },
  { name: 'staff-webhooks', as: 'staff', path: '/staff/webhooks' },
  { name: 'staff-jobs', as: 'staff', path: '/staff/jobs' },
  { name: 'staff-audit', as: 'staff', path: '/staff/audit' },
  { name: 'not-found', path: '/nothing-here' },
]
