import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../api/problems.ts'
import { readDashboard } from './built-files.ts'
import { inScript } from './in-script.ts'
import { acceptedEncodings, sendFile } from './send-file.ts'

export interface DashboardParts {
  version: string
  publicUrl: string
  /** The address of the identity store for browsers; null while it starts. */
  identityPublicUrl(): string | null
}

/** Every address of web/dashboard/router.tsx begins with one of these. Others get the page, too, with the status 404. */
const PATHS = ['/', '/profile', '/organisations/*', '/workspaces/*', '/projects/*', '/staff', '/staff/*']

/**
 * The page that the project settings show in a frame. It has no project and reaches no server: the settings send it what to show.
 * So a site that could frame it would gain nothing; the recording page itself forbids all frames.
 */
const PREVIEW_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; '),
  'permissions-policy': 'microphone=(), camera=(), geolocation=()',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  'cache-control': 'no-cache',
}

const PUBLIC = { config: { access: { kind: 'public' as const } }, schema: { hide: true } }

export interface DashboardPage {
  /** For an address that does not exist. */
  sendNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply
}

/** `/`: the dashboard. It has no data of its own: everything it shows comes from the API. */
export function registerDashboard(app: FastifyInstance, parts: DashboardParts): DashboardPage {
  const { html, preview, assets } = readDashboard()
  const send = ({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const nonce = randomBytes(16).toString('base64')
    const identityUrl = parts.identityPublicUrl()
    const settings = { version: parts.version, public_url: parts.publicUrl, identity_url: identityUrl }
    const page = html
      .replaceAll('__NONCE__', nonce)
      .replace(
        '<!--settings-->',
        () => `<script type="application/json" id="settings">${inScript(settings)}</script>`,
      )
    reply.type('text/html; charset=utf-8').headers({
      'content-security-policy': policyFor(nonce, identityUrl),
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'microphone=(), camera=(), geolocation=()',
      'x-robots-tag': 'noindex, nofollow',
      vary: 'Origin, Accept-Encoding',
    })
    if (!acceptedEncodings(headers['accept-encoding']).has('gzip')) return reply.send(page)
    return reply.header('content-encoding', 'gzip').send(gzipSync(page))
  }
  for (const url of PATHS)
    app.get(url, { ...PUBLIC, handler: async (request, reply) => send(request, reply) })
  app.get('/preview', {
    ...PUBLIC,
    config: { ...PUBLIC.config, conditional: true },
    handler: async (_request, reply) =>
      reply.type('text/html; charset=utf-8').headers(PREVIEW_HEADERS).send(preview),
  })
  app.get<{ Params: { name: string } }>('/assets/:name', {
    ...PUBLIC,
    config: { ...PUBLIC.config, conditional: true },
    handler: async (request, reply) => {
      const file = assets.get(request.params.name)
      if (!file) throw new Problem('not_found')
      return sendFile(request, reply, file, 'public, max-age=31536000, immutable')
    },
  })
  return { sendNotFound: (request, reply) => send(request, reply.code(404)) }
}

/** Styles of the component library are written into the page by its script, which knows the nonce. */
function policyFor(nonce: string, identityUrl: string | null): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "media-src 'self'",
    "frame-src 'self'",
    `connect-src 'self'${identityUrl === null ? '' : ` ${new URL(identityUrl).origin}`}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
