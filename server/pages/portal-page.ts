import { gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../database/database.ts'
import { Problem } from '../api/problems.ts'
import type { Router } from '../api/router.ts'
import { readPortal as readProject } from '../conversations/index.ts'
import { type BuiltPortal, readPortal } from './built-files.ts'
import { inScript } from './in-script.ts'
import { acceptedEncodings, sendFile } from './send-file.ts'

/** Only the page's own files; `blob:` is the participant's recording, for listening. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  'media-src blob:',
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const WORKER_POLICY = "default-src 'none'; connect-src 'self'"

const PAGE_HEADERS = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'microphone=(self), camera=(), geolocation=()',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  // Requested at every visit, so that a new version is never missed; most requests get 304.
  'cache-control': 'no-cache',
  vary: 'Origin, Accept-Encoding, Accept-Language',
}

const PUBLIC = {
  config: { access: { kind: 'public' as const }, conditional: true },
  schema: { hide: true },
}

export interface PortalPage {
  /** The same page, which says that the link does not work, in the language of the browser. */
  sendUnknownLink(request: Pick<FastifyRequest, 'headers'>, reply: FastifyReply): FastifyReply
}

/** `/p/{pid}`: the page on which participants record, and `/p/{pid}/withdraw`. */
export function registerPortalPage(
  app: FastifyInstance,
  router: Router,
  parts: { db: Db; publicUrl: string },
): PortalPage {
  const built = readPortal()
  const sendUnknownLink: PortalPage['sendUnknownLink'] = (request, reply) =>
    sendPage(request, reply.code(404), built, null)
  router.page(
    '/p/:pid',
    async (request, reply) => {
      const project = await readProject(parts, request.params['pid']).catch(nullIfUnknown)
      return project ? sendPage(request, reply, built, project) : sendUnknownLink(request, reply)
    },
    { conditional: true },
  )
  app.get('/p/:pid/withdraw', {
    ...PUBLIC,
    handler: async (request, reply) => sendPage(request, reply, built, null),
  })
  // Receipts of earlier versions. Browsers keep the token, which follows the #.
  app.get<{ Params: { cid: string } }>('/withdraw/:cid', {
    ...PUBLIC,
    handler: async ({ params }, reply) =>
      reply.redirect(`/p/receipt/withdraw?conversation=${encodeURIComponent(params.cid)}`, 302),
  })
  app.get<{ Params: { name: string } }>('/p/assets/:name', {
    ...PUBLIC,
    handler: async (request, reply) => {
      const file = built.assets.get(request.params.name)
      if (!file) throw new Problem('not_found')
      return sendFile(request, reply, file, 'public, max-age=31536000, immutable')
    },
  })
  app.get('/p/service-worker.js', {
    ...PUBLIC,
    handler: async (request, reply) =>
      // A service worker has the policy of its own file.
      sendFile(
        request,
        reply.header('content-security-policy', WORKER_POLICY),
        built.serviceWorker,
        'no-cache',
      ),
  })
  return { sendUnknownLink }
}

function nullIfUnknown(error: unknown): null {
  if (error instanceof Problem && error.code === 'not_found') return null
  throw error
}

type Project = Awaited<ReturnType<typeof readProject>>

function sendPage(
  { headers }: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  built: BuiltPortal,
  project: Project | null,
): FastifyReply {
  reply.type('text/html; charset=utf-8').headers(PAGE_HEADERS)
  const page = renderPage(built, project, headers['accept-language'])
  if (!acceptedEncodings(headers['accept-encoding']).has('gzip')) return reply.send(page)
  return reply.header('content-encoding', 'gzip').send(gzipSync(page))
}

/** The project is in the page, and the texts are loaded together with the script: a slow phone needs no further round trip. */
function renderPage(
  { html, catalogueOf }: BuiltPortal,
  project: Project | null,
  acceptLanguage = '',
): string {
  const language = likelyLanguage(project, acceptLanguage)
  const catalogue = catalogueOf(language) ?? catalogueOf('en')
  return html
    .replace('<!--head-->', () => `<link rel="modulepreload" crossorigin href="/p/${catalogue}">`)
    .replace(
      '<!--project-->',
      () => `<script type="application/json" id="project">${inScript(project)}</script>`,
    )
}

/** A guess for the preload alone: the page decides. */
function likelyLanguage(
  project: { language: string; languages: string[] } | null,
  acceptLanguage: string,
): string {
  const browser = /^\s*([a-z]{2})\b/i.exec(acceptLanguage)?.[1]?.toLowerCase() ?? 'en'
  const offered = project ? [project.language, ...project.languages].filter((tag) => tag !== 'auto') : []
  const primary = offered.map((tag) => tag.toLowerCase().split('-')[0] ?? '')
  return primary.length === 0 || primary.includes(browser) ? browser : (primary[0] ?? 'en')
}
