import { api, dataOf, versionOf } from '../../api/client.ts'
import { isProblem } from '../../api/problem.ts'

export type BulkKind = 'tag' | 'retranscribe' | 'download' | 'remove'

const pathOf = (cid: string) => ({ params: { path: { cid } } })

export const removeConversation = (cid: string) =>
  dataOf(api.DELETE('/api/v2/conversations/{cid}', pathOf(cid)))

export const retranscribe = (cid: string) =>
  dataOf(api.POST('/api/v2/conversations/{cid}/retranscribe', pathOf(cid)))

/** Reads the tags first, so that a tag which someone else added since the list was loaded stays. */
export async function addTag(cid: string, tag: string): Promise<void> {
  for (;;) {
    const { record, etag } = await versionOf(api.GET('/api/v2/conversations/{cid}', pathOf(cid)))
    if (record.tags.includes(tag)) return
    try {
      await dataOf(
        api.PATCH('/api/v2/conversations/{cid}', {
          ...pathOf(cid),
          body: { tags: [...record.tags, tag] },
          headers: { ...(etag && { 'If-Match': etag }) },
        }),
      )
      return
    } catch (error) {
      if (!isProblem(error, 'precondition_failed')) throw error
    }
  }
}

export const transcriptText = (cid: string): Promise<string> =>
  dataOf(
    api.GET('/api/v2/conversations/{cid}/transcript', {
      params: { path: { cid }, query: { format: 'md' } },
      parseAs: 'text',
    }),
  )

export function saveText(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/markdown' }))
  link.download = name
  link.click()
  // After the browser has begun to save it.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
