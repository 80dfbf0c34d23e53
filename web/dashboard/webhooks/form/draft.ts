import type { Schemas } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'
import type { Words } from '../../words/en/index.ts'

type Created = Schemas['CreateWebhookRequest']

/** The values of the form. */
export interface Draft {
  url: string
  name: string
  events: Created['events']
  payload: NonNullable<Created['payload']>
}

export type SecretChoice = { kind: 'generate' } | { kind: 'none' } | { kind: 'type'; value: string }

export const EMPTY: Draft = { url: '', name: '', events: [], payload: 'full' }

export const draftOf = ({ url, name, events, payload }: Schemas['Webhook']): Draft => ({
  url,
  name: name ?? '',
  events,
  payload,
})

const MAX_URL = 2048
const MIN_SECRET = 16

type ErrorWords = Words['webhooks']['form']['errors']

/** The rules that need no network. The API checks all of them again, and the address that the name resolves to. */
export function urlError(text: string, words: ErrorWords): string | null {
  if (text.length > MAX_URL) return words.long
  if (!URL.canParse(text)) return words.url
  const { protocol, username, password } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') return words.scheme
  if (username || password) return words.userinfo
  return text.includes('#') ? words.fragment : null
}

export const isUnencrypted = (url: string): boolean => /^http:/i.test(url)

const isBase64 = (text: string): boolean =>
  text.length > 0 && /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)

export function secretError(secret: string, words: ErrorWords): string | null {
  if (secret === '') return words.secretEmpty
  if (secret.includes('\0')) return words.secretNul
  return secret.startsWith('whsec_') && !isBase64(secret.slice('whsec_'.length)) ? words.secretBase64 : null
}

export const isWeak = (secret: string): boolean => secret.length > 0 && secret.length < MIN_SECRET

/** The API's error message for a field. */
export function fieldError(error: unknown, field: string): string | null {
  if (!(error instanceof ApiProblem)) return null
  return error.fields.find(({ path }) => path === field || path.startsWith(`${field}.`))?.message ?? null
}

/** Whether the form shows everything that the API says about its fields. */
export const isAboutFields = (error: unknown, fields: string[]): boolean =>
  error instanceof ApiProblem &&
  error.fields.length > 0 &&
  error.fields.every(({ path }) => fields.includes(path.split('.')[0] ?? ''))
