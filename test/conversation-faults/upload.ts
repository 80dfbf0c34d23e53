import { basename } from 'node:path'
import type { Random } from '../faults/random.ts'
import type { Ask } from './asking.ts'

const TUS = { 'tus-resumable': '1.0.0' }
const BYTES = 'application/offset+octet-stream'
/** The rest of a file goes at once, or in part. */
const IN_PART = 0.6

/** A whole file by tus: asks how much has arrived, and goes on from there until the conversation has it. */
export async function uploadFile(ask: Ask, uploads: string, file: Buffer, random: Random): Promise<void> {
  const begun = await ask('POST', uploads, [201], {
    headers: { ...TUS, 'upload-length': String(file.length) },
  })
  const upload = `${uploads}/${basename(begun.headers.get('location') ?? '')}`
  for (;;) {
    const { status, headers } = await ask('HEAD', upload, [200], { headers: TUS })
    if (status !== 200 || headers.has('x-conversation-id')) return
    const offset = Number(headers.get('upload-offset'))
    const rest = file.subarray(offset)
    const part = random.happens(IN_PART) ? rest.subarray(0, random.whole(1, rest.length)) : rest
    // 409: what it began with had arrived, and only the answer was lost.
    await ask('PATCH', upload, [204, 409], {
      headers: { ...TUS, 'content-type': BYTES, 'upload-offset': String(offset) },
      bytes: part,
    })
  }
}
