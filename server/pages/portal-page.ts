import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../database/database.ts'
import { Problem } from '../api/problems.ts'
import type { Router } from '../api/router.ts'
import { readPortal as readProject } from '../conversations/index.ts'
import { type BuiltFile, type BuiltPortal, readPortal } from './built-files.ts'

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
  'permissions-policy': 'microphone=(self), camera=(), geolocation=()',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  'cache-control': 'no-cache',
}

const PUBLIC = { config: { access: { kind: 'public' as const } }, schema: { hide: true } }

/** `/p/{pid}`: the page on which participants record. A wrong link gets the same page, which says so. */
export function registerPortalPage(
  app: FastifyInstance,
  router: Router,
  parts: { db: Db; publicUrl: string },
): void {
  const built = readPortal()
  app.get<{ Params: { pid: string } }>('/p/:pid', {
    ...PUBLIC,
    onRequest: router.guard({ kind: 'public' }),
    handler: async ({ params, headers }, reply) => {
      const project = await readProject(parts, params.pid).catch(nullIfUnknown)
      return reply
        .code(project === null ? 404 : 200)
        .type('text/html; charset=utf-8')
        .headers(PAGE_HEADERS)
        .send(renderPage(built, project, headers['accept-language']))
    },
  })
  app.get('/p/:pid/withdraw', {
    ...PUBLIC,
    handler: async ({ headers }, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .headers(PAGE_HEADERS)
        .send(renderPage(built, null, headers['accept-language'])),
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
}

function nullIfUnknown(error: unknown): null {
  if (error instanceof Problem && error.code === 'not_found') return null
  throw error
}

/** Escapes what could end the element; JSON has no other `<`. */
const inScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

/** The project is in the page, and the texts are loaded together with the script: a slow phone needs no further round trip. */
function renderPage(
  { html, catalogueOf }: BuiltPortal,
  project: Awaited<ReturnType<typeof readProject>> | null,
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

function sendFile(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { type, plain, gzip, brotli }: BuiltFile,
  caching: string,
): FastifyReply {
  const accepted = String(headers['accept-encoding'] ?? '')
  const [encoding, body] = /\bbr\b/.test(accepted)
    ? ['br', brotli]
    : /\bgzip\b/.test(accepted)
      ? ['gzip', gzip]
      : [null, plain]
  if (encoding) reply.header('content-encoding', encoding)
  return reply.type(type).headers({ 'cache-control': caching, vary: 'Accept-Encoding' }).send(body)
}
