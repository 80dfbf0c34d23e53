import { z } from 'zod'
import { Webhook } from '../manage/schema.ts'

export const Copyable = z
  .object({
    webhook: Webhook,
    headers: z.record(z.string(), z.string()).describe('The headers of a delivery and their meaning'),
    signature: z.string().describe('How to verify the signature'),
    events: z.array(
      z.object({
        type: z.string(),
        example: z.record(z.string(), z.unknown()),
        schema: z.record(z.string(), z.unknown()).describe('JSON Schema'),
      }),
    ),
    receivers: z.object({ node: z.string(), python: z.string(), curl: z.string() }),
    markdown: z.string().describe('All of this as a Markdown page'),
  })
  .meta({ id: 'Copyable' })
export type Copyable = z.output<typeof Copyable>
