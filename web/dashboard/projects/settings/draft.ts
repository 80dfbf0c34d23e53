import type { Schemas } from '../../api/client.ts'

export type Project = Schemas['Project']

const FIELDS = [
  'name',
  'title',
  'description',
  'finish_text',
  'privacy_url',
  'accent_color',
  'ask_name',
  'ask_email',
  'tags',
  'language',
  'languages',
  'hotwords',
  'consent_text',
  'retention_days',
] as const

export type Field = (typeof FIELDS)[number]
export type Values = Pick<Project, Field>
export type Changes = Partial<Values>
export type SetValue = <F extends Field>(field: F, value: Values[F]) => void

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

export const fieldsOf = (changes: Changes): Field[] => FIELDS.filter((field) => field in changes)

/** A value that is typed back to what is stored is no longer a change. */
export function withValue<F extends Field>(
  stored: Project,
  changes: Changes,
  field: F,
  value: Values[F],
): Changes {
  const { [field]: _before, ...others } = changes
  return isSame(stored[field], value) ? others : { ...others, [field]: value }
}

export const without = (changes: Changes, fields: readonly Field[]): Changes =>
  Object.fromEntries(Object.entries(changes).filter(([field]) => !fields.some((one) => one === field)))

/** The fields in which two versions differ, by the names of the API. */
export function differences(before: Project, after: Project): (Field | 'logo' | 'is_open')[] {
  return [
    ...FIELDS.filter((field) => !isSame(before[field], after[field])),
    ...(before.logo_url === after.logo_url ? [] : (['logo'] as const)),
    ...(before.is_open === after.is_open ? [] : (['is_open'] as const)),
  ]
}

export const isField = (name: string): name is Field => FIELDS.some((field) => field === name)

/** Null: an empty text is not stored. */
export const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text)
