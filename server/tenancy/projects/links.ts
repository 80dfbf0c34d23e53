import type { Selectable } from 'kysely'
import type { Tables } from '../../../database/tables.ts'

type Row = Selectable<Tables['projects']>

const linkTo = (publicUrl: string, path: string): string =>
  `${publicUrl.endsWith('/') ? publicUrl.slice(0, -1) : publicUrl}${path}`

/** The page on which people record. `publicUrl` can be a path alone. */
export const recordingUrl = (publicUrl: string, { id }: Pick<Row, 'id'>): string =>
  linkTo(publicUrl, `/p/${id}`)

/** Redirects to the recording page, and is easier to type and to scan. */
export const shortUrl = (publicUrl: string, { short_code }: Pick<Row, 'short_code'>): string =>
  linkTo(publicUrl, `/s/${short_code.toLowerCase()}`)

/** Contains the digest of the image, so that browsers can cache it without asking again. */
export const logoPath = ({ id, logo }: Pick<Row, 'id' | 'logo'>): string | null =>
  logo && `/api/participant/projects/${id}/logo?v=${logo.version}`
