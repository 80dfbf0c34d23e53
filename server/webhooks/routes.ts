import { z } from 'zod'
import type { Db } from '../../database/database.ts'
import type { Notifications } from '../../database/notifications.ts'
import type { Logger } from '../../platform/log.ts'
import { feedPageOf } from '../api/feed/feed.ts'
import { pageOf } from '../api/pagination.ts'
import type { RouteContext } from '../api/route-spec.ts'
import type { Router } from '../api/router.ts'
import { id, noBody } from '../api/schema.ts'
import { WEBHOOK_ACCESS as access, findWebhook, tiersWithWebhooks } from './access.ts'
import { copyableResponse } from './copyable/copyable-response.ts'
import { readCopyable } from './copyable/read-copyable.ts'
import { Copyable } from './copyable/schema.ts'
import { listDeliveries, listProjectDeliveries } from './deliveries/list-deliveries.ts'
import { findDelivery, readDelivery } from './deliveries/read-delivery.ts'
import { resend } from './deliveries/resend.ts'
import { Delivery, DeliveryDetail, deliveryQuery, projectDeliveryQuery } from './deliveries/schema.ts'
import { DeliveryStatistics, readStatistics, statisticsQuery } from './deliveries/statistics.ts'
import { eventQuery, FeedEvent, listEvents } from './events/list-events.ts'
import { createEventHub, streamEvents, streamQuery } from './events/stream-events.ts'
import { checkUrl } from './manage/check-url.ts'
import { createWebhook } from './manage/create-webhook.ts'
import { deleteWebhook } from './manage/delete-webhook.ts'
import { etagFieldsOf, readWebhook, readWebhooks } from './manage/read-webhooks.ts'
import { rotateSecret } from './manage/rotate-secret.ts'
import { CreatedWebhook, NewWebhook, Rotated, Rotation, Webhook, WebhookPatch } from './manage/schema.ts'
import { updateWebhook } from './manage/update-webhook.ts'
import { cancelReplay } from './replay/cancel-replay.ts'
import { findReplay } from './replay/find-replay.ts'
import { NewReplay, Replay } from './replay/schema.ts'
import { startReplay } from './replay/start-replay.ts'
import { TestRequest, TestResult } from './test-delivery/schema.ts'
import { recordTestDelivery, sendTestDelivery, type TestParts } from './test-delivery/test-webhook.ts'

export interface WebhookParts extends TestParts {
  db: Db
  log: Logger
  notifications: Notifications
  allowHttp: boolean
  tierGates: boolean
}

const at = (url: string) => ({ tag: 'Webhooks', access, url }) as const
const all = '/api/projects/:pid/webhooks'
const one = `${all}/:id`
const Started = z.object({ id }).meta({ id: 'StartedDelivery' })

type Context = RouteContext<typeof access>
const find = (context: Context) => findWebhook(context, context.params['id'])
const findWithDelivery = async (context: Context) => {
  const webhook = await find(context)
  return { webhook, delivery: await findDelivery(context.db, webhook.id, context.params['did']) }
}
const findReplayOfWebhook = async (context: Context) =>
  findReplay(context.db, (await find(context)).id, context.params['replay_id'])

export function registerWebhooks(router: Router, parts: WebhookParts): void {
  const { egress, keyring, allowHttp } = parts
  const tiers = tiersWithWebhooks(parts.tierGates)
  const withCheckedUrl = async <T extends { url?: string | undefined }>(body: T): Promise<T> =>
    body.url === undefined ? body : { ...body, url: await checkUrl(body.url, egress, allowHttp) }
  registerManagement()
  registerLog()
  registerFeed()

  function registerManagement(): void {
    router.read({
      id: 'listWebhooks',
      summary: 'List the webhooks of a project, newest first',
      ...at(all),
      responses: { 200: z.array(Webhook) },
      read: ({ db, target }) => readWebhooks(db, { projectId: target.id }),
    })
    router.change({
      id: 'createWebhook',
      summary: 'Register a webhook',
      method: 'POST',
      ...at(all),
      body: NewWebhook,
      responses: { 201: CreatedWebhook },
      problems: ['limit_reached'],
      prepare: ({ body }) => withCheckedUrl(body),
      change: (context, _tx, webhook) => createWebhook(context, webhook, keyring),
      location: ({ id, project_id }) => `/api/projects/${project_id}/webhooks/${id}`,
      etag: etagFieldsOf,
    })
    router.read({
      id: 'readWebhook',
      summary: 'Read a webhook',
      ...at(one),
      responses: { 200: Webhook },
      find,
      read: ({ db }, row) => readWebhook(db, row.id),
      etag: etagFieldsOf,
    })
    router.change({
      id: 'updateWebhook',
      summary: 'Change a webhook',
      method: 'PATCH',
      ...at(one),
      body: WebhookPatch,
      responses: { 200: Webhook },
      problems: ['disabled_by_staff'],
      find,
      prepare: ({ body }) => withCheckedUrl(body),
      change: (context, _tx, patch, row) => updateWebhook(context, { id: row.id, patch }, keyring),
      etag: etagFieldsOf,
    })
    router.change({
      id: 'deleteWebhook',
      summary: 'Delete a webhook',
      method: 'DELETE',
      ...at(one),
      body: noBody,
      responses: { 204: null },
      find,
      change: (context, _tx, _prepared, row) => deleteWebhook(context, row.id),
    })
    router.change({
      id: 'testWebhook',
      summary: 'Send a test delivery and return the result',
      method: 'POST',
      ...at(`${one}/test`),
      body: TestRequest,
      responses: { 200: TestResult },
      problems: ['secret_unreadable'],
      find,
      prepare: (context, webhook) => sendTestDelivery(context, { webhook, type: context.body?.event }, parts),
      change: (context, _tx, sent, row) => recordTestDelivery(context, row, sent),
    })
    router.read({
      id: 'readWebhookInstructions',
      summary: 'Read instructions for writing a receiver',
      ...at(`${one}/copyable`),
      responses: { 200: { 'application/json': Copyable, 'text/markdown': z.string() } },
      find,
      read: (context, row) => readCopyable(context, row.id, parts.publicUrl),
      respond: (copyable, { accept }) => copyableResponse(copyable, accept),
    })
    router.change({
      id: 'rotateWebhookSecret',
      summary: 'Rotate the secret of a webhook; requests are signed with both secrets during the overlap',
      method: 'POST',
      ...at(`${one}/rotate-secret`),
      body: Rotation,
      responses: { 200: Rotated },
      find,
      change: (context, _tx, _prepared, row) =>
        rotateSecret(context, { id: row.id, rotation: context.body }, keyring),
    })
  }

  function registerLog(): void {
    router.read({
      id: 'listDeliveries',
      summary: 'List the deliveries of a webhook, newest first',
      ...at(`${one}/deliveries`),
      query: deliveryQuery,
      responses: { 200: pageOf(Delivery) },
      find,
      read: (context, row) => listDeliveries(context, context.query, [row.id]),
    })
    router.read({
      id: 'readDelivery',
      summary: 'Read a delivery with its payload and every attempt',
      ...at(`${one}/deliveries/:did`),
      responses: { 200: DeliveryDetail },
      find: findWithDelivery,
      read: (context, { delivery }) => readDelivery(context, delivery, parts.userAgent),
    })
    router.read({
      id: 'readDeliveryStatistics',
      summary: 'Count the deliveries of a webhook by outcome and time, with response times',
      ...at(`${one}/statistics`),
      query: statisticsQuery,
      responses: { 200: DeliveryStatistics },
      find,
      read: ({ db, query }, row) => readStatistics(db, row.id, query),
    })
    router.change({
      id: 'resendDelivery',
      summary: 'Send the event of a delivery again, with the same body',
      method: 'POST',
      ...at(`${one}/deliveries/:did/resend`),
      body: noBody,
      responses: { 202: Started },
      problems: ['payload_erased', 'test_delivery', 'webhook_disabled'],
      find: findWithDelivery,
      change: (context, _tx, _prepared, found) => resend(context, found, tiers),
    })
    router.change({
      id: 'startReplay',
      summary: 'Send the failed and missed events of a time range again',
      method: 'POST',
      ...at(`${one}/replay`),
      body: NewReplay,
      responses: { 202: Started },
      problems: ['webhook_disabled'],
      find,
      change: (context, _tx, _prepared, row) => startReplay(context, row, context.body),
    })
    router.read({
      id: 'readReplay',
      summary: 'Read the progress of a replay',
      ...at(`${one}/replay/:replay_id`),
      responses: { 200: Replay },
      find: findReplayOfWebhook,
      read: async (_context, replay) => replay,
    })
    router.change({
      id: 'cancelReplay',
      summary: 'Cancel a running replay and its pending deliveries',
      method: 'DELETE',
      ...at(`${one}/replay/:replay_id`),
      body: noBody,
      responses: { 204: null },
      problems: ['replay_finished'],
      find: findReplayOfWebhook,
      change: (context, _tx, _prepared, replay) => cancelReplay(context, replay.id),
    })
    router.read({
      id: 'listProjectDeliveries',
      summary: 'List the deliveries of all webhooks of a project, newest first',
      ...at('/api/v2/projects/:pid/deliveries'),
      query: projectDeliveryQuery,
      responses: { 200: pageOf(Delivery) },
      read: (context) => listProjectDeliveries(context, context.query),
    })
  }

  function registerFeed(): void {
    const hub = createEventHub(parts.db, parts.notifications, parts.log)
    router.read({
      id: 'listEvents',
      summary: 'List the events of a project in order, for polling and reconciliation',
      ...at('/api/v2/projects/:pid/events'),
      query: eventQuery,
      responses: { 200: feedPageOf(FeedEvent) },
      read: (context) => listEvents(context, context.query),
    })
    router.stream({
      id: 'streamEvents',
      summary: 'Stream the events of a project as server-sent events; resumes after Last-Event-ID',
      ...at('/api/v2/projects/:pid/events/stream'),
      query: streamQuery,
      responses: { 200: { 'text/event-stream': z.string() } },
      stream: (context, lastEventId) => streamEvents(context, { ...context.query, lastEventId }, hub),
    })
  }
}
