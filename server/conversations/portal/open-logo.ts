import type { Db } from '../../../database/database.ts'
import type { FileStore } from '../../../storage/file-store.ts'
import { contentDisposition } from '../../api/files/file-name.ts'
import type { HttpResponse } from '../../api/response.ts'
import { notFound } from '../find-conversation.ts'
import { openFile } from '../open-file.ts'
import { findProject } from '../participant/read-portal.ts'

const YEAR_SECONDS = 365 * 24 * 60 * 60

/** The logo of a project. An address with the version of the image never shows another one, so it is cached without asking again. */
export async function openLogo(
  { db, files }: { db: Db; files: FileStore },
  projectId: string | undefined,
  version: string | undefined,
): Promise<HttpResponse> {
  const { logo } = await findProject(db, projectId)
  const file = logo && (await openFile(files, logo.key))
  if (!file) throw notFound()
  const isCurrent = version === logo.version
  return {
    status: 200,
    headers: {
      'content-type': 'image/png',
      'content-length': String(file.bytes),
      'content-disposition': contentDisposition('inline', 'logo', 'png'),
      etag: `"${logo.version}"`,
      'cache-control': isCurrent ? `public, max-age=${YEAR_SECONDS}, immutable` : 'public, no-cache',
      // Pages on other sites can show it.
      'cross-origin-resource-policy': 'cross-origin',
    },
    body: file.stream,
  }
}
