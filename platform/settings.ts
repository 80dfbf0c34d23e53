import { isIP } from 'node:net'
import { z } from 'zod'

/** The documentation of a setting. The table of settings is generated from it. */
export interface SettingNote {
  sentence: string
  /** The default in words, if it is not a plain value (`made on first start`). */
  default?: string
  unit?: string
  secret?: boolean
}

const notes = new WeakMap<z.ZodType, SettingNote>()

/** Declares a setting: its schema and its documentation. */
export function setting<S extends z.ZodType>(
  schema: S,
  sentence: string,
  more: Omit<SettingNote, 'sentence'> = {},
): S {
  notes.set(schema, { sentence, ...more })
  return schema
}

export const onOff = (byDefault: 'on' | 'off') =>
  z
    .enum(['on', 'off'])
    .default(byDefault)
    .transform((value) => value === 'on')

export const wholeNumber = (byDefault: number, min: number, max: number, expected = 'a whole number') =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be ${expected}`)
    .transform(Number)
    .pipe(z.number().min(min).max(max))
    .default(byDefault)

/** A TCP port; 0 means any free port. */
export const port = (byDefault: number) => wholeNumber(byDefault, 0, 65_535, 'a port number')

/** `a, b` becomes `['a', 'b']`. */
const commaList = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )

/** Origins as browsers send them: `https://example.com`, without path. */
export const originList = () =>
  commaList.refine(
    (list) => list.every(isOrigin),
    'must be a comma-separated list of origins such as https://example.com',
  )

const isOrigin = (text: string): boolean => /^https?:/.test(text) && URL.parse(text)?.origin === text

/** Addresses and networks: `10.0.0.1, 192.168.0.0/16, fd00::/8`. */
export const networkList = () =>
  commaList.refine(
    (list) => list.every(isNetwork),
    'must be a comma-separated list of addresses or networks (CIDR)',
  )

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const maxBits = isIP(address) === 6 ? 128 : 32
  return (
    isIP(address) !== 0 &&
    rest.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits))
  )
}

export class SettingsError extends Error {
  constructor(problems: string[]) {
    super(`Invalid settings:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.name = 'SettingsError'
  }
}

type Environment = Record<string, string | undefined>

/** Finds contradictions between the given settings: `['NAME', 'must …']` for each. */
export type CrossCheck = (given: Environment) => [name: string, message: string][]

/** Reads settings from an environment, or throws with all problems together. An empty value counts as unset. */
export function readSettings<S extends z.ZodObject>(
  schema: S,
  environment: Environment,
  crossCheck: CrossCheck = () => [],
): z.output<S> {
  const names = Object.keys(schema.shape)
  const given = Object.fromEntries(
    names.map((name) => [name, environment[name]]).filter(([, value]) => value?.trim()),
  )
  const result = schema.safeParse(given)
  const problems = [
    ...(result.error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    ...crossCheck(given).map(([name, message]) => `${name}: ${message}`),
  ]
  if (result.success && problems.length === 0) return result.data
  throw new SettingsError(problems)
}

export interface DescribedSetting extends SettingNote {
  name: string
}

/** The settings in the order of the schema, for the documentation and the banner. */
export function describeSettings(schema: z.ZodObject): DescribedSetting[] {
  return Object.entries(schema.shape).map(([name, field]) => {
    const note = notes.get(field as z.ZodType)
    if (!note) throw new Error(`Setting ${name} has no documentation: declare it with setting()`)
    const own = defaultOf(field as z.ZodType)
    return { name, ...note, ...(note.default === undefined && own !== undefined ? { default: own } : {}) }
  })
}

/** Read from the schema, so that the documentation shows the real default. */
function defaultOf(field: z.ZodType): string | undefined {
  const parsed = field.safeParse(undefined)
  return parsed.success && parsed.data !== undefined ? asText(parsed.data) || 'none' : undefined
}

/** Formats a value as an environment variable would have it. */
function asText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return value instanceof Set ? [...value].join(',') : String(value)
}

/** One line per setting that is not at its default; a secret shows only that it is set. */
export function listChangedSettings(schema: z.ZodObject, values: Record<string, unknown>): string[] {
  return describeSettings(schema).flatMap(({ name, secret, default: byDefault }) => {
    const text = asText(values[name] ?? '')
    const shown = secret ? '********' : withoutPassword(text)
    return text === '' || shown === byDefault ? [] : `${name}=${shown}`
  })
}

/** Masks the password in a URL (`postgres://user:password@host`). */
const withoutPassword = (text: string): string => text.replace(/(\/\/[^/:@\s]*):[^@/\s]*@/g, '$1:********@')
