import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '../../api/route-spec.ts'
import type { ProjectTarget } from '../../auth/index.ts'
import { tenantIdsOf } from '../../tenancy/index.ts'
import { type EventType, jsonSchemaOf } from '../events/payloads.ts'
import { SAMPLE_EVENT, sampleOf } from '../events/samples.ts'
import { serialise } from '../events/serialise.ts'
import { readWebhook } from '../manage/read-webhooks.ts'
import { HEADERS, SIGNATURE, toMarkdown } from './markdown.ts'
import type { Copyable } from './schema.ts'

const receiver = (file: string): string => readFileSync(join(import.meta.dirname, 'receivers', file), 'utf8')
const NODE = receiver('receiver.mjs')
const PYTHON = receiver('receiver.py')
const SEND = receiver('send.sh')

/** The instructions for the author of a receiver. They do not contain the secret, so that they can be passed on. */
export async function readCopyable(
  { db, target }: Context<ProjectTarget>,
  webhookId: string,
  publicUrl: string,
): Promise<Copyable> {
  const webhook = await readWebhook(db, webhookId)
  const tenantIds = await tenantIdsOf(db, target)
  const envelope = { ...tenantIds, ...SAMPLE_EVENT, projectName: target.name, publicUrl }
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
  return { ...parts, markdown: toMarkdown(parts) }
}

/** Escapes a body for single quotes, in which the shell interprets only the next quote. */
const sendScript = (type: EventType, body: string): string =>
  SEND.replace('{{EVENT}}', () => type).replace('{{EXAMPLE}}', () => body.replaceAll("'", String.raw`'\''`))
