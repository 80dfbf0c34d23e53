import type { Schemas } from '../api/client.ts'

export const TABS = ['deliveries', 'guide', 'settings'] as const
export const DELIVERY_STATUSES = [
  'pending',
  'delivering',
  'succeeded',
  'failed',
  'cancelled',
  'missed',
] as const satisfies Schemas['Delivery']['status'][]
export const EVENTS = [
  'conversation.started',
  'conversation.transcribed',
  'conversation.summarized',
  'report.generated',
] as const satisfies Schemas['Webhook']['events']
const LOGGED_EVENTS = [...EVENTS, 'webhook.test'] as const satisfies Schemas['Delivery']['event'][]
export const TIMES = ['1h', '24h', '7d'] as const
export const RANGES = ['24h', '30d'] as const

/** The state of the list of deliveries. */
export interface DeliveryFilters {
  status?: (typeof DELIVERY_STATUSES)[number]
  event?: (typeof LOGGED_EVENTS)[number]
  time?: (typeof TIMES)[number]
}

/** The state of a webhook's page, which is in its address. */
export interface WebhookSearch extends DeliveryFilters {
  tab?: (typeof TABS)[number]
  range?: (typeof RANGES)[number]
  /** The replay whose progress is shown. */
  replay?: string
}

const oneOf = <T extends string>(values: readonly T[], value: unknown): T | undefined =>
  values.find((one) => one === value)

/** Values that an address can have by accident are ignored. */
export function readWebhookSearch(search: Record<string, unknown>): WebhookSearch {
  const tab = oneOf(TABS, search['tab'])
  const range = oneOf(RANGES, search['range'])
  const status = oneOf(DELIVERY_STATUSES, search['status'])
  const event = oneOf(LOGGED_EVENTS, search['event'])
  const time = oneOf(TIMES, search['time'])
  const replay = typeof search['replay'] === 'string' && search['replay']
  return {
    ...(tab && { tab }),
    ...(range && { range }),
    ...(status && { status }),
    ...(event && { event }),
    ...(time && { time }),
    ...(replay && { replay }),
  }
}

export const filtersOf = ({ status, event, time }: WebhookSearch): DeliveryFilters => ({
  ...(status && { status }),
  ...(event && { event }),
  ...(time && { time }),
})
