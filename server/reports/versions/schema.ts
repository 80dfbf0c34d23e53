import { z } from 'zod'
import { input, name, text, timestamp } from '../../api/schema.ts'

const MAX_SECTIONS = 100
const MAX_PARTS = 500

const key = z.string().max(20)
const longText = text(1, 20_000).refine((value) => value.trim() !== '', 'must not be blank')

export const DocumentEdit = input({
  version: z.number().int().min(1).describe('The version that was edited; `412` if there is a newer one'),
  title: name(300),
  introduction: text(0, 20_000),
  sections: z
    .array(
      input({
        from: key
          .nullable()
          .describe('The `key` of the section whose counts it keeps; null for a new section'),
        heading: text(0, 300),
        paragraphs: z
          .array(
            input({
              from: key
                .nullable()
                .describe('The `key` of the paragraph whose sources it keeps; null for a new paragraph'),
              text: longText.nullable().describe('Null: unchanged'),
            }),
          )
          .max(MAX_PARTS),
        quotations: z
          .array(key)
          .max(MAX_PARTS)
          .describe('Keys. Quotations can be moved and removed, but not changed'),
      }),
    )
    .max(MAX_SECTIONS),
})

export const VersionToRestore = input({ version: z.number().int().min(1).max(999_999_999) })

export const documentQuery = z.strictObject({
  version: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be the number of a version')
    .transform(Number)
    .optional()
    .describe('Default: the current version')
    .meta({ openapi: { type: 'integer', minimum: 1 } }),
})

export const ReportVersion = z
  .object({
    number: z.number().int().describe('1 is the generated version'),
    title: z.string(),
    origin: z.enum(['generated', 'edited', 'restored']),
    restored_from: z.number().int().nullable().describe('The version of which it is a copy'),
    created_by: z.string().nullable().describe('The id of the user; null for the generated version'),
    created_at: timestamp,
    current: z.boolean().describe('Whether members read this version'),
    published: z.boolean().describe('Whether everyone can read this version'),
  })
  .meta({ id: 'ReportVersion' })
