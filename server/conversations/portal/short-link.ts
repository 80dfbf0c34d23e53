import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../../database/database.ts'
import { parseCode } from '../../../platform/short-code.ts'
import type { Router } from '../../api/router.ts'
import { recordingUrl } from '../../tenancy/index.ts'

export interface ShortLinkParts {
  db: Db
  publicUrl: string
  /** Sends the page that says that the link does not work. */
  sendUnknownLink(request: FastifyRequest, reply: FastifyReply): FastifyReply
}

/** `/s/{code}` redirects to the recording page and keeps the query, which can have a name and tags. */
export function registerShortLinks(
  app: FastifyInstance,
  router: Router,
  { db, publicUrl, sendUnknownLink }: ShortLinkParts,
): void {
  // Stays on this server. Behind a proxy, the address of the service can have a path.
  const base = new URL(publicUrl).pathname
  app.get<{ Params: { code: string } }>('/s/:code', {
    config: { access: { kind: 'public' } },
    schema: { hide: true },
    onRequest: router.guard({ kind: 'public' }),
    handler: async (request, reply) => {
      const project = await findByCode(db, request.params.code)
      if (project)
        return reply
          .code(302)
          .header('location', recordingUrl(base, project) + queryOf(request))
          .send()
      return sendUnknownLink(request, reply)
    },
  })
}

const queryOf = ({ raw }: FastifyRequest): string => {
  const { url = '' } = raw
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start)
}

async function findByCode(db: Db, typed: string): Promise<{ id: string } | undefined> {
  const code = parseCode(typed)
  if (code === null) return undefined
  return db
    .selectFrom('projects')
    .select('id')
    .where('short_code', '=', code)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}
