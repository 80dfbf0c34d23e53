/** As much of JSON Schema as the events use. */
export interface Schema {
  type?: string | string[]
  format?: string
  const?: unknown
  enum?: unknown[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
}

export interface Field {
  path: string
  type: string
  isOptional: boolean
  description: string
}

/** The fields of an object and of the objects within it, each with its path. */
export function fieldsOf(schema: Schema, prefix = ''): Field[] {
  return Object.entries(objectOf(schema)?.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`
    const isOptional = !objectOf(schema)?.required?.includes(name)
    return [
      { path, type: typeOf(field), isOptional, description: field.description ?? '' },
      ...fieldsOf(field, `${path}.`),
    ]
  })
}

/** The object, also where null is possible. */
const objectOf = (schema: Schema): Schema | undefined =>
  schema.properties
    ? schema
    : [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].find((one) => one.properties)

/** Names of JSON Schema, which are the same in every language. */
function typeOf(schema: Schema): string {
  const { const: only, enum: some, type, items } = schema
  if (only !== undefined) return JSON.stringify(only)
  if (some) return some.map((value) => JSON.stringify(value)).join(' | ')
  const variants = schema.anyOf ?? schema.oneOf
  if (variants) return variants.map(typeOf).join(' | ')
  if (type === 'array') return `${items ? typeOf(items) : ''}[]`
  return [type ?? 'any'].flat().join(' | ')
}
