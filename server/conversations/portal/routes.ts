import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Db } from '../../../database/database.ts'
import type { FileStore } from '../../../storage/file-store.ts'
import { contentDisposition } from '../../api/files/file-name.ts'
import type { HttpResponse } from '../../api/response.ts'
import type { Router } from '../../api/router.ts'
import { recordingUrl, shortUrl } from '../../tenancy/index.ts'
import { findProject } from '../participant/read-portal.ts'
import { findByShortCode } from './find-by-short-code.ts'
import { qrSvg } from './link-qr-code.ts'
import { qrPng } from './link-qr-png.ts'
import { openLogo } from './open-logo.ts'

export interface PortalParts {
  db: Db
  files: FileStore
  publicUrl: string
}

const project = '/api/participant/projects/:pid'
const open = { tag: 'Participants', access: { kind: 'public' } } as const

/** The smallest has room for the largest code, of 185 modules. */
const [MIN_SIZE, MAX_SIZE, DEFAULT_SIZE] = [256, 2_048, 512]

const QrQuery = z.strictObject({
  target: z
    .enum(['short', 'long'])
    .default('short')
    .describe('The link in the code: `short_url`, or `recording_url`, whose code is denser'),
})

const QrPngQuery = QrQuery.extend({
  size: z.coerce
    .number(`must be a number from ${MIN_SIZE} to ${MAX_SIZE}`)
    .int('must be a whole number')
    .min(MIN_SIZE, `must be at least ${MIN_SIZE}`)
    .max(MAX_SIZE, `must be at most ${MAX_SIZE}`)
    .default(DEFAULT_SIZE)
    .describe('Width and height in pixels'),
})

const LogoQuery = z.strictObject({
  v: z
    .string()
    .max(100)
    .optional()
    .describe('The version in `logo_url`: with it, the image can be cached forever'),
})

export interface ShortLinkParts {
  db: Db
  publicUrl: string
  /** Sends the page that says that the link does not work. */
  sendUnknownLink(request: Pick<FastifyRequest, 'headers'>, reply: FastifyReply): FastifyReply
}

/** `/s/{code}` redirects to the recording page and keeps the query, which can have a name and tags. */
export function registerShortLinks(router: Router, { db, publicUrl, sendUnknownLink }: ShortLinkParts): void {
  // Stays on this server. Behind a proxy, the address of the service can have a path.
  const base = new URL(publicUrl).pathname
  router.page('/s/:code', async (request, reply) => {
    const project = await findByShortCode(db, request.params['code'] ?? '')
    if (!project) return sendUnknownLink(request, reply)
    return reply
      .code(302)
      .header('location', recordingUrl(base, project) + queryOf(request))
      .send()
  })
}

const queryOf = ({ raw }: Pick<FastifyRequest, 'raw'>): string => {
  const { url = '' } = raw
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start)
}

/** The images of a recording page, for everyone who has its link. */
export function registerPortalImages(router: Router, { db, files, publicUrl }: PortalParts): void {
  const linkOf = async (id: string | undefined, { target }: z.output<typeof QrQuery>): Promise<string> =>
    (target === 'short' ? shortUrl : recordingUrl)(publicUrl, await findProject(db, id))
  router.read({
    id: 'readQrCodeAsSvg',
    summary: 'The link to the recording page as a QR code, for print',
    ...open,
    url: `${project}/qr.svg`,
    query: QrQuery,
    responses: { 200: { 'image/svg+xml': z.string() } },
    read: async ({ params, query }) => qrSvg(await linkOf(params['pid'], query)),
    respond: (svg) => qrResponse(svg, 'image/svg+xml', 'svg'),
  })
  router.read({
    id: 'readQrCodeAsPng',
    summary: 'The link to the recording page as a QR code, for screens and documents',
    ...open,
    url: `${project}/qr.png`,
    query: QrPngQuery,
    responses: { 200: { 'image/png': z.string() } },
    read: async ({ params, query }) => qrPng(await linkOf(params['pid'], query), query.size),
    respond: (png) => qrResponse(png, 'image/png', 'png'),
  })
  router.read({
    id: 'readLogo',
    summary: 'The logo of a project; `logo_url` is its address',
    ...open,
    url: `${project}/logo`,
    query: LogoQuery,
    responses: { 200: { 'image/png': z.string() } },
    read: ({ params }) => openLogo({ db, files }, params['pid']),
    respond: (logo, { query }) => logoResponse(logo, query.v),
  })
}

/** Pages on other sites can show the images. */
const FOR_ALL_SITES = { 'cross-origin-resource-policy': 'cross-origin' }

const YEAR_SECONDS = 365 * 24 * 60 * 60

/** An address with the version of the image never shows another one, so it is cached without asking again. */
const logoResponse = (
  logo: Awaited<ReturnType<typeof openLogo>>,
  version: string | undefined,
): HttpResponse => ({
  status: 200,
  headers: {
    'content-type': 'image/png',
    'content-length': String(logo.bytes),
    'content-disposition': contentDisposition('inline', { title: 'logo', untitled: 'logo' }, 'png'),
    etag: `"${logo.version}"`,
    'cache-control':
      version === logo.version ? `public, max-age=${YEAR_SECONDS}, immutable` : 'public, no-cache',
    ...FOR_ALL_SITES,
  },
  body: logo.stream,
})

/** Caches can keep it for an hour: the link does not change, but the project can be deleted. */
const qrResponse = (body: string | Buffer, type: string, extension: string): HttpResponse => ({
  status: 200,
  headers: {
    'content-type': type,
    'content-disposition': contentDisposition('inline', { title: 'qr-code', untitled: 'qr-code' }, extension),
    'cache-control': 'public, max-age=3600',
    ...FOR_ALL_SITES,
  },
  body,
})
