import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { HttpResponse as Answer } from '../../api/response.ts'
import type { RouteContext as Context } from '../../api/route-spec.ts'
import { tenantIdsOf as placeOf } from '../../tenancy/index.ts'
import type { WebhookAccess, WebhookRow } from '../access.ts'
import { type EventType, jsonSchemaOf } from '../events/payloads.ts'
import { sampleOf } from '../events/samples.ts'
import { serialise } from '../events/serialise.ts'
import { readWebhook } from '../manage/read-webhooks.ts'
import { Webhook } from '../manage/schema.ts'
import { HEADERS, SIGNATURE, toMarkdown } from './markdown.ts'

export const Copyable = z
  .object({
    webhook: Webhook,
    headers: z.record(z.string(), z.string()).describe('What each header of a delivery holds'),
    signature: z.string().describe('How to verify'),
    events: z.array(
      z.object({
        type: z.string(),
        example: z.record(z.string(), z.unknown()),
        schema: z.record(z.string(), z.unknown()).describe('JSON Schema'),
      }),
    ),
    receivers: z.object({ node: z.string(), python: z.string(), curl: z.string() }),
    markdown: z.string().describe('All of this as a page'),
  })
  .meta({ id: 'Copyable' })
export type Copyable = z.output<typeof Copyable>

const receiver = (file: string): string => readFileSync(join(import.meta.dirname, 'receivers', file), 'utf8')
const NODE = receiver('receiver.mjs')
const PYTHON = receiver('receiver.py')
const SEND = receiver('send.sh')

/** All that somebody needs who writes the receiving end; safe to pass on, since the secret is not in it. */
export async function readCopyable(
  { db, target, accept }: Context<WebhookAccess>,
  row: WebhookRow,
  publicUrl: string,
): Promise<Answer> {
  const webhook = await readWebhook(db, row.id)
  const place = await placeOf(db, target)
  const envelope = { ...place, id: SAMPLE_EVENT, timestamp: SAMPLE_TIME, projectName: target.name, publicUrl }
  const bodyOf = (type: EventType) =>
    serialise(sampleOf(type, target.id), envelope)[webhook.payload].toString()
  const first = webhook.events[0] as EventType
  const parts: Omit<Copyable, 'markdown'> = {
    webhook,
    headers: HEADERS,
    signature: SIGNATURE,
    events: webhook.events.map((type) => ({
      type,
      example: JSON.parse(bodyOf(type)),
      schema: jsonSchemaOf(type),
    })),
    receivers: { node: NODE, python: PYTHON, curl: sendScript(first, bodyOf(first)) },
  }
  const markdown = toMarkdown(parts)
  const vary = { vary: 'Origin, Accept' }
  if (!prefersMarkdown(accept)) return { status: 200, headers: vary, body: { ...parts, markdown } }
  return { status: 200, headers: { ...vary, 'content-type': 'text/markdown; charset=utf-8' }, body: markdown }
}

const SAMPLE_EVENT = '01890a5d-ac96-774b-bcce-b302099a8059'
const SAMPLE_TIME = '2026-01-31T10:13:00.000Z'

/** In single quotes, where the shell reads nothing but the next quote. */
const sendScript = (type: EventType, body: string): string =>
  SEND.replace('{{EVENT}}', () => type).replace('{{EXAMPLE}}', () => body.replaceAll("'", String.raw`'\''`))

/** Markdown only if the request names it with at least the weight of JSON; `any type` gets JSON. */
function prefersMarkdown(accept: string | undefined): boolean {
  const markdown = weightOf('text/markdown', accept)
  return markdown > 0 && markdown >= weightOf('application/json', accept)
}

function weightOf(type: string, accept = ''): number {
  const range = accept.split(',').find((part) => part.split(';')[0]?.trim().toLowerCase() === type)
  if (range === undefined) return 0
  return Number(/;\s*q=([\d.]+)/i.exec(range)?.[1] ?? 1)
}
