import type { Router } from '../api/router.ts'
import { readActivity } from './read-activity.ts'
import { Activity } from './schema.ts'

export function registerActivity(router: Router, parts: { tierGates: boolean }): void {
  router.read({
    id: 'readMyActivity',
    summary: 'Read recent activity in your workspaces, and what needs attention there',
    tag: 'Me',
    url: '/api/v2/me/activity',
    access: { kind: 'signed_in' },
    responses: { 200: Activity },
    read: ({ db, principal }) => readActivity(db, principal.userId, parts),
  })
}
