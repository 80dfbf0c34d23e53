import { GUEST, type Ids, UNREACHABLE_URL } from './fixtures.ts'
import type { Route } from './statement.ts'

/** The body with which each changing route succeeds; routes that are not listed need none. */
const BODIES: Record<string, object> = {
  'POST /api/v2/organisations': { name: 'New' },
  'PATCH /api/v2/organisations/{oid}': { name: 'Renamed' },
  'POST /api/v2/organisations/{oid}/members': { user_id: GUEST, role: 'member' },
  'PATCH /api/v2/organisations/{oid}/members/{user_id}': { role: 'external' },
  'POST /api/v2/organisations/{oid}/workspaces': { name: 'New' },
  'PATCH /api/v2/workspaces/{wid}': { name: 'Renamed' },
  'POST /api/v2/workspaces/{wid}/members': { user_id: GUEST, role: 'member' },
  'PATCH /api/v2/workspaces/{wid}/members/{user_id}': { role: 'external' },
  'POST /api/v2/workspaces/{wid}/projects': { name: 'New' },
  'POST /api/v2/workspaces/{wid}/export': { audio: false },
  'PATCH /api/v2/projects/{pid}': { name: 'Renamed' },
  'PATCH /api/v2/conversations/{cid}': { title: 'Renamed' },
  'PATCH /api/v2/conversations/{cid}/segments/{sid}': { text: 'Corrected' },
  'PATCH /api/v2/conversations/{cid}/speakers': { A: 'Ann' },
  'POST /api/v2/projects/{pid}/reports': { title: 'New' },
  'PATCH /api/v2/reports/{rid}': { published: true },
  'PUT /api/v2/reports/{rid}/document': { version: 2, title: 'Edited', introduction: '', sections: [] },
  'POST /api/v2/reports/{rid}/restore': { version: 1 },
  'POST /api/v2/admin/jobs/{jid}/retry': { reason: 'Because' },
  'PUT /api/v2/admin/workspaces/{wid}/tier': { tier: 'guardian', reason: 'Because' },
  'POST /api/v2/admin/webhooks/{id}/disable': { reason: 'Because' },
  'POST /api/projects/{pid}/webhooks': { url: UNREACHABLE_URL, events: ['report.generated'] },
  'PATCH /api/projects/{pid}/webhooks/{id}': { name: 'Renamed' },
  'POST /api/projects/{pid}/webhooks/{id}/replay': { since: '2026-01-01T00:00:00Z', only: 'all' },
}

/** `otherOrganisation`: where a workspace is transferred to. */
export const validBody = (route: Pick<Route, 'name'>, otherOrganisation: string): object | undefined =>
  route.name === 'POST /api/v2/admin/workspaces/{wid}/transfer'
    ? { organisation_id: otherOrganisation, reason: 'Because' }
    : BODIES[route.name]

export const methodOf = ({ name }: Pick<Route, 'name'>): string => name.split(' ')[0] as string
const templateOf = ({ name }: Pick<Route, 'name'>): string => name.split(' ')[1] as string

export const isSafe = (route: Pick<Route, 'name'>): boolean => methodOf(route) === 'GET'

/** Ids are not encoded, so that tests can send any characters. */
export const pathOf = (route: Pick<Route, 'name'>, ids: Ids): string =>
  templateOf(route).replaceAll(
    ID_IN_PATH,
    (_, collection: string, key: string) => `${collection}/${ids[idNameOf(collection, key)]}`,
  )

const ID_IN_PATH = /([\w-]+)\/\{(\w+)\}/g

/** `{id}` is used for more than one kind of record; the segment before it shows which. */
function idNameOf(collection: string, key: string): keyof Ids {
  if (key !== 'id') return key as keyof Ids
  if (collection === 'invitations') return 'invitation'
  if (collection === 'webhooks') return 'webhook'
  throw new Error(`requests.ts does not know which id follows ${collection}`)
}

/** The ids in the path, outermost first. */
export const idNamesOf = (route: Pick<Route, 'name'>): (keyof Ids)[] =>
  [...templateOf(route).matchAll(ID_IN_PATH)].map(([, collection, key]) =>
    idNameOf(collection as string, key as string),
  )

/** Every changing route rejects this body, but only after it granted access: it shows the decision and changes nothing. */
export const INVALID_BODY = { surprise: true }
