import type { Readable } from 'node:stream'
import { invalidInput, Problem } from '../../../api/problems.ts'
import type { Router } from '../../../api/router.ts'
import { noBody } from '../../../api/schema.ts'
import type { ProjectParts } from '../parts.ts'
import { Project } from '../schema.ts'
import { ONLY_PNG_AND_JPEG } from './decode-logo.ts'
import { deleteLogo, putLogo } from './put-logo.ts'

const MAX_BYTES = 1024 * 1024

const url = '/api/v2/projects/:pid/logo'
const updating = { tag: 'Projects', access: { kind: 'project', capability: 'project:update' } } as const

const IMAGE = {
  mediaTypes: ['image/png', 'image/jpeg'],
  required: true,
  description: 'A PNG or JPEG image, at most 1 MiB, 4,096 pixels on each side and 8 megapixels.',
}

/** The logo on the recording page. */
export async function registerLogo(router: Router, parts: ProjectParts): Promise<void> {
  await router.rawBodies({ contentType: /^image\/(png|jpeg)$/i, detail: ONLY_PNG_AND_JPEG }, (imageRouter) =>
    imageRouter.handle({
      id: 'setLogo',
      summary: 'Set the logo of the recording page; it is stored as a PNG without metadata',
      ...updating,
      method: 'PUT',
      url,
      body: IMAGE,
      responses: { 200: Project },
      problems: ['storage_full', 'storage_unavailable'],
      closeOnError: true,
      handle: async (context) =>
        putLogo(context, await readImage(context.request.body as Readable | undefined), parts),
      etag: true,
    }),
  )
  router.handle({
    id: 'deleteLogo',
    summary: 'Remove the logo of the recording page',
    ...updating,
    method: 'DELETE',
    url,
    body: noBody,
    responses: { 204: null },
    problems: ['precondition_failed'],
    openapi: { requestHeaders: ['If-Match'] },
    handle: (context) => deleteLogo(context, parts),
  })
}

async function readImage(body: Readable | undefined): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of body ?? []) {
    size += (part as Buffer).length
    if (size > MAX_BYTES)
      throw new Problem('too_large', {
        detail: 'The logo is larger than 1 MiB. Make the image smaller and try again.',
      })
    parts.push(part as Buffer)
  }
  if (size === 0) throw invalidInput({ path: 'body', message: 'must be a PNG or JPEG image' })
  return Buffer.concat(parts)
}
