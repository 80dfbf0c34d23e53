import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Tables } from '../../database/tables.ts'
import { id, input, timestamp } from '../api/schema.ts'

export type ExportRow = Selectable<Tables['exports']>

export const NewExport = input({
  audio: z.boolean().default(true).describe('Whether the recordings are included'),
}).nullish()

export const ExportQuery = z.strictObject({ format: z.enum(['json', 'zip']).default('json') })

export const Export = z
  .object({
    id,
    workspace_id: id,
    status: z
      .literal('ready')
      .describe('Always `ready`: the zip is generated while it is downloaded, from the data at that time'),
    audio: z.boolean(),
    url: z.string().describe('URL of the zip, for users who can export the workspace'),
    created_at: timestamp,
    expires_at: timestamp,
  })
  .meta({ id: 'Export' })

export const pathOf = ({ id, workspace_id }: Pick<ExportRow, 'id' | 'workspace_id'>): string =>
  `/api/v2/workspaces/${workspace_id}/exports/${id}`

export const toExport = (row: ExportRow, publicUrl: string): z.output<typeof Export> => ({
  id: row.id,
  workspace_id: row.workspace_id,
  status: 'ready',
  audio: row.audio,
  url: `${publicUrl}${pathOf(row)}?format=zip`,
  created_at: row.created_at,
  expires_at: row.expires_at,
})
