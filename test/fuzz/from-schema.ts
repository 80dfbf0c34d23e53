import fc from '../support/properties.ts'

export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  format?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  additionalProperties?: boolean | JsonSchema
  minimum?: number
  maximum?: number
}

/** An arbitrary that draws from others by their weights. */
export const weighted = <C extends [weight: number, arbitrary: fc.Arbitrary<unknown>][]>(...choices: C) =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary }))) as C[number][1]

/** Strings that often break programs: NUL, half a surrogate pair, very long, markup, SQL, prototype names. */
const nasty = fc.constantFrom(
  '',
  '\0',
  '\ud800',
  'a\udc00b',
  '🦜'.repeat(60),
  'x'.repeat(30_000),
  "'; drop table projects; --",
  ...'<b> __proto__ constructor %00 ../.. -0 1e999'.split(' '),
)
const anything = fc.oneof(fc.jsonValue({ maxDepth: 2 }), nasty)

/** URLs for fields that accept one: no server listens there, and none needs a name server. */
const ADDRESSES = [
  'http://127.0.0.1:9/',
  'http://127.0.0.1:9/?a=b&c',
  'http://127.0.0.1:9/#x',
  'http://u:p@127.0.0.1:9/',
  'https://[::1]:9/',
  'http://169.254.169.254/',
  'http://0/',
  'http://[::ffff:10.0.0.1]/',
  'http://127.0.0.1:99999/',
  'http:127.0.0.1',
  'http://%00/',
  'http://ex ample/',
  'javascript:1',
  'file:///etc/passwd',
  '//x',
]

/** Times that calendars, ISO 8601 and databases interpret differently. */
export const ODD_TIMES = [
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+14:00',
  '1970-01-01T00:00:00Z',
  '9999-12-31T23:59:59-23:59',
  '9999-12-31T23:59:59.999Z',
  '2016-12-31T23:59:60Z',
  '2026-02-30T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T00:00:00.123456789123Z',
]
/** Times with a year of four digits. */
const timestamp = fc.oneof(
  fc
    .date({
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    })
    .map((date) => date.toISOString()),
  fc.constantFrom(...ODD_TIMES),
)

/** Values that mostly fit the schema, and sometimes do not. */
export function arbitraryOf(schema: JsonSchema, resolve: (ref: string) => JsonSchema): fc.Arbitrary<unknown> {
  return weighted([6, fitting(schema, resolve)], [1, anything])
}

function fitting(schema: JsonSchema, resolve: (ref: string) => JsonSchema): fc.Arbitrary<unknown> {
  if (schema.$ref) return fitting(resolve(schema.$ref), resolve)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map((choice) => arbitraryOf(choice, resolve)))
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type) => fitting({ ...schema, type }, resolve)))
  switch (schema.type) {
    case 'object':
      return objectOf(schema, resolve)
    case 'array':
      return fc.array(arbitraryOf(schema.items ?? {}, resolve), { maxLength: 4 })
    case 'string':
      return stringOf(schema)
    case 'integer':
    case 'number':
      return fc.oneof(
        fc.integer({ min: schema.minimum ?? -10, max: Math.min(schema.maximum ?? 1000, 1000) }),
        fc.double(),
      )
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return anything
  }
}

function objectOf(
  { properties = {}, required = [] }: JsonSchema,
  resolve: (ref: string) => JsonSchema,
): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      name === 'url' ? fc.constantFrom(...ADDRESSES) : arbitraryOf(schema, resolve),
    ]),
  )
  const shaped = fc.record(fields, { requiredKeys: required })
  const strange = fc.tuple(shaped, nasty, anything).map(([value, key, extra]) => ({ ...value, [key]: extra }))
  return weighted([5, shaped], [1, strange])
}

function stringOf({ format }: JsonSchema): fc.Arbitrary<unknown> {
  if (format === 'uuid') return fc.uuid()
  if (format === 'email') return fc.emailAddress()
  if (format === 'uri') return fc.webUrl()
  if (format === 'date-time') return timestamp
  return weighted([4, fc.string({ minLength: 1, maxLength: 40 })], [1, nasty])
}
