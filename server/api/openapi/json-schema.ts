import { z } from 'zod'

export interface JsonSchema {
  [key: string]: unknown
  $ref?: string
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  prefixItems?: JsonSchema[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  format?: string
}

type Io = 'input' | 'output'

const PREFIX = '#/components/schemas/'
/** The path at which zod puts schemas with an id that were not added but are referenced. */
const SHARED = `${PREFIX}__shared#/$defs/`

/** Converts many zod schemas to JSON Schema, each as a named component. */
export interface SchemaSet {
  /** Adds a schema to the components. `name` is used for a schema without an id. */
  add(io: Io, schema: z.ZodType, name: string): void
  /** Call it after the last `add`. */
  build(): BuiltSchemas
}

export interface BuiltSchemas {
  components: Record<string, JsonSchema>
  /** A reference to the component of a schema that was added. */
  refTo(io: Io, schema: z.ZodType): JsonSchema
  resolve(schema: JsonSchema): JsonSchema
}

export function createSchemaSet(): SchemaSet {
  const registries = { input: z.registry<{ id: string }>(), output: z.registry<{ id: string }>() }
  return {
    add(io, schema, name) {
      const id = z.globalRegistry.get(schema)?.id ?? name
      if (!registries[io].has(schema)) registries[io].add(schema, { id })
    },
    build() {
      const outputs = convert(registries.output, 'output')
      const inputs = renameClashes(convert(registries.input, 'input'), outputs)
      const components = { ...outputs, ...inputs.schemas }
      return {
        components,
        refTo(io, schema) {
          const id = registries[io].get(schema)?.id
          if (id === undefined) throw new Error('The schema was not added')
          return { $ref: `${PREFIX}${io === 'input' ? inputs.nameOf(id) : id}` }
        },
        resolve: (schema) => (schema.$ref ? (components[schema.$ref.slice(PREFIX.length)] ?? {}) : schema),
      }
    },
  }
}

function convert(registry: z.core.$ZodRegistry<{ id: string }>, io: Io): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(registry, {
    io,
    unrepresentable: 'any',
    uri: (id) => `${PREFIX}${id}`,
    override: ({ zodSchema, jsonSchema }) => {
      // The format says enough: zod adds a pattern of 200 characters.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern
      const { examples, openapi: own } = z.globalRegistry.get(zodSchema) ?? {}
      // Zod omits the examples of an input that it transforms, because it takes them for outputs. Ours are inputs.
      if (examples) jsonSchema.examples = examples as never[]
      if (own === undefined) return
      for (const key of Object.keys(jsonSchema)) if (key !== 'description') delete jsonSchema[key]
      Object.assign(jsonSchema, own)
    },
  })
  const { __shared: shared, ...added } = schemas as Record<string, JsonSchema>
  const all = { ...(shared?.['$defs'] as Record<string, JsonSchema> | undefined), ...added }
  return Object.fromEntries(Object.entries(all).map(([name, schema]) => [name, tidy(schema)]))
}

/** Removes the ids that zod adds, and makes references point to the components. */
function tidy(schema: JsonSchema): JsonSchema {
  const { $schema: _dialect, $id: _id, id: _name, ...rest } = schema
  return JSON.parse(JSON.stringify(rest).replaceAll(SHARED, PREFIX), (_key, value) =>
    hasZodId(value) ? withoutId(value) : value,
  )
}

/** A string `id` is added by zod. A property with the name `id` has a schema as its value. */
const hasZodId = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'
const withoutId = ({ id: _id, ...schema }: JsonSchema): JsonSchema => schema

/** Renames an input that differs from the output of the same name, for example because defaults make fields optional. */
function renameClashes(inputs: Record<string, JsonSchema>, outputs: Record<string, JsonSchema>) {
  const clashes = new Set(
    Object.keys(inputs).filter((name) => outputs[name] && !isSame(outputs[name], inputs[name] as JsonSchema)),
  )
  const nameOf = (name: string): string => (clashes.has(name) ? `${name}Input` : name)
  const schemas = Object.entries(inputs).map(([name, schema]) => [
    nameOf(name),
    JSON.parse(JSON.stringify(schema), (key, value) =>
      key === '$ref' && typeof value === 'string' ? PREFIX + nameOf(value.slice(PREFIX.length)) : value,
    ) as JsonSchema,
  ])
  return { nameOf, schemas: Object.fromEntries(schemas) as Record<string, JsonSchema> }
}

const isSame = (one: JsonSchema, other: JsonSchema): boolean => JSON.stringify(one) === JSON.stringify(other)
