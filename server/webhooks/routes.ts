import { z } from 'zod'
import type { Db } from '../../database/database.ts'
import type { WakeUps } from '../../database/notifications.ts'
import type { Egress } from '../../delivery/index.ts'
import type { Keyring } from '../../platform/encryption.ts'
import type { Logger } from '../../platform/log.ts'
import { feedPageOf } from '../api/feed/feed.ts'
import { pageOf } from '../api/pagination.ts'
import { found, ok } from '../api/response.ts'
import type { Router } from '../api/router.ts'
import { id, noBody } from '../api/schema.ts'
import { WEBHOOK_ACCESS as access, findWebhook } from './access.ts'
import { Copyable, readCopyable } from './copyable/read-copyable.ts'
import { listDeliveries, listProjectDeliveries } from './deliveries/list-deliveries.ts'
import { findDelivery, readDelivery } from './deliveries/read-delivery.ts'
import { resend } from './deliveries/resend.ts'
import {
  Delivery,
  DeliveryDetail,
  deliveryQuery,
  NewReplay,
  projectDeliveryQuery,
  Replay,
} from './deliveries/schema.ts'
import { eventQuery, FeedEvent, listEvents } from './events/list-events.ts'
import { createEventHub, streamEvents, streamQuery } from './events/stream-events.ts'
import { checkUrl } from './manage/check-url.ts'
import { createWebhook } from './manage/create-webhook.ts'
import { deleteWebhook } from './manage/delete-webhook.ts'
import { etagFieldsOf, readWebhook, readWebhooks } from './manage/read-webhooks.ts'
import { rotateSecret } from './manage/rotate-secret.ts'
import {
  CreatedWebhook,
  NewWebhook,
  Rotated,
  Rotation,
  TestRequest,
  TestResult,
  Webhook,
  WebhookPatch,
} from './manage/schema.ts'
import { updateWebhook } from './manage/update-webhook.ts'
import { cancelReplay } from './replay/cancel-replay.ts'
import { findReplay } from './replay/read-replay.ts'
import { startReplay } from './replay/start-replay.ts'
import { recordTest, sendTest } from './test-delivery/test-webhook.ts'

export interface WebhookParts {
  db: Db
  log: Logger
  egress: Egress
  keyring: Keyring
  wakeUps: WakeUps
  allowHttp: boolean
  publicUrl: string
  userAgent: string
  /** Whether test deliveries are limited, per webhook. */
  limitTests: boolean
}

const tag = 'Webhooks'
const all = '/api/projects/:pid/webhooks'
const one = `${all}/:id`
const Started = z.object({ id }).meta({ id: 'StartedDelivery' })

export function registerWebhooks(router: Router, parts: WebhookParts): void {
  const { egress, keyring, allowHttp } = parts
  registerManagement()
  registerLog()
  registerFeed()

  function registerManagement(): void {
    router.read({
      id: 'listWebhooks',
      summary: 'The webhooks of a project, newest first',
      tag,
      url: all,
      access,
      responses: { 200: z.array(Webhook) },
      read: async ({ db, target }) => found(await readWebhooks(db, { projectId: target.id })),
    })
    router.change({
      id: 'createWebhook',
      summary: 'Register a webhook',
      tag,
      method: 'POST',
      url: all,
      access,
      body: NewWebhook,
      responses: { 201: CreatedWebhook },
      problems: ['limit_reached'],
      prepare: ({ body }) => checkUrl(body.url, egress, allowHttp),
      change: (context, tx, url) => createWebhook(context, tx, url, keyring),
    })
    router.read({
      id: 'readWebhook',
      summary: 'One webhook',
      tag,
      url: one,
      access,
      responses: { 200: Webhook },
      find: findWebhook,
      read: async ({ db }, row) => {
        const webhook = await readWebhook(db, row.id)
        return ok(webhook, etagFieldsOf(webhook))
      },
    })
    router.change({
      id: 'updateWebhook',
      summary: 'Change a webhook',
      tag,
      method: 'PATCH',
      url: one,
      access,
      body: WebhookPatch,
      responses: { 200: Webhook },
      problems: ['disabled_by_staff'],
      find: findWebhook,
      prepare: async ({ body }) =>
        body.url === undefined ? undefined : checkUrl(body.url, egress, allowHttp),
      change: (context, tx, url) => updateWebhook(context, tx, url, keyring),
    })
    router.change({
      id: 'deleteWebhook',
      summary: 'Remove a webhook',
      tag,
      method: 'DELETE',
      url: one,
      access,
      body: noBody,
      responses: { 204: null },
      find: findWebhook,
      change: deleteWebhook,
    })
    router.change({
      id: 'testWebhook',
      summary: 'Send a test delivery and tell what came back',
      tag,
      method: 'POST',
      url: `${one}/test`,
      access,
      body: TestRequest,
      responses: { 200: TestResult },
      problems: ['secret_unreadable'],
      find: findWebhook,
      prepare: (context, row) => sendTest(context, row, parts),
      change: (context, tx, tested, row) => recordTest(context, tx, row, tested),
    })
    router.read({
      id: 'readWebhookInstructions',
      summary: 'All that somebody needs who writes the receiver',
      tag,
      url: `${one}/copyable`,
      access,
      responses: { 200: { 'application/json': Copyable, 'text/markdown': z.string() } },
      find: findWebhook,
      read: (context, row) => readCopyable(context, row, parts.publicUrl),
    })
    router.change({
      id: 'rotateWebhookSecret',
      summary: 'Give a webhook a new secret, beside the old one for a while',
      tag,
      method: 'POST',
      url: `${one}/rotate-secret`,
      access,
      body: Rotation,
      responses: { 200: Rotated },
      find: findWebhook,
      change: (context, tx) => rotateSecret(context, tx, keyring),
    })
  }

  function registerLog(): void {
    router.read({
      id: 'listDeliveries',
      summary: 'The deliveries of a webhook, newest first',
      tag,
      url: `${one}/deliveries`,
      access,
      query: deliveryQuery,
      responses: { 200: pageOf(Delivery) },
      find: findWebhook,
      read: listDeliveries,
    })
    router.read({
      id: 'readDelivery',
      summary: 'One delivery, with its payload and every attempt',
      tag,
      url: `${one}/deliveries/:did`,
      access,
      responses: { 200: DeliveryDetail },
      find: findDelivery,
      read: (context, delivery) => readDelivery(context, delivery, parts.userAgent),
    })
    router.change({
      id: 'resendDelivery',
      summary: 'Send the same event again, byte for byte',
      tag,
      method: 'POST',
      url: `${one}/deliveries/:did/resend`,
      access,
      body: noBody,
      responses: { 202: Started },
      problems: ['payload_erased', 'test_delivery', 'webhook_disabled'],
      find: findDelivery,
      change: (context, tx, _prepared, delivery) => resend(context, tx, delivery),
    })
    router.change({
      id: 'startReplay',
      summary: 'Send everything again that was missed in a span of time',
      tag,
      method: 'POST',
      url: `${one}/replay`,
      access,
      body: NewReplay,
      responses: { 202: Started },
      problems: ['webhook_disabled'],
      find: findWebhook,
      change: (context, tx, _prepared, row) => startReplay(context, tx, row),
    })
    router.read({
      id: 'readReplay',
      summary: 'How far a replay got',
      tag,
      url: `${one}/replay/:replay_id`,
      access,
      responses: { 200: Replay },
      find: findReplay,
      read: async (_context, progress) => found(progress),
    })
    router.change({
      id: 'cancelReplay',
      summary: 'Cancel a running replay and its pending deliveries',
      tag,
      method: 'DELETE',
      url: `${one}/replay/:replay_id`,
      access,
      body: noBody,
      responses: { 204: null },
      problems: ['replay_finished'],
      find: findReplay,
      change: (context, tx, _prepared, { id: replayId }) => cancelReplay(context, tx, replayId),
    })
    router.read({
      id: 'listProjectDeliveries',
      summary: 'The deliveries of all webhooks of a project, newest first',
      tag,
      url: '/api/v2/projects/:pid/deliveries',
      access,
      query: projectDeliveryQuery,
      responses: { 200: pageOf(Delivery) },
      read: listProjectDeliveries,
    })
  }

  function registerFeed(): void {
    const hub = createEventHub(parts.db, parts.wakeUps, parts.log)
    router.read({
      id: 'listEvents',
      summary: 'The events of a project in their order, to poll or to reconcile',
      tag,
      url: '/api/v2/projects/:pid/events',
      access,
      query: eventQuery,
      responses: { 200: feedPageOf(FeedEvent) },
      read: listEvents,
    })
    router.stream({
      id: 'streamEvents',
      summary: 'The same as server-sent events; resumes after Last-Event-ID',
      tag,
      url: '/api/v2/projects/:pid/events/stream',
      access,
      query: streamQuery,
      responses: { 200: { 'text/event-stream': z.string() } },
      stream: (context, lastEventId) => streamEvents(context, lastEventId, hub),
    })
  }
}
