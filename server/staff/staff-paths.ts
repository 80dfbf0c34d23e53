import type { FastifyInstance } from 'fastify'
import { Problem } from '../api/problems.ts'
import type { Router } from '../api/router.ts'

const STAFF_PREFIX = '/api/v2/admin'

export const isStaffPath = (url: string): boolean =>
  url === STAFF_PREFIX || url.startsWith(`${STAFF_PREFIX}/`)

/** Unknown paths below the staff prefix return 401, 403 and 404 in that order, so that only staff can explore them. */
export function hideStaffPaths(app: FastifyInstance, router: Router): void {
  const notFound = async () => {
    throw new Problem('not_found')
  }
  for (const url of [STAFF_PREFIX, `${STAFF_PREFIX}/*`]) {
    app.route({
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url,
      config: { access: { kind: 'staff' } },
      schema: { hide: true },
      onRequest: [router.guard({ kind: 'staff' }), notFound],
      handler: notFound,
    })
  }
}
