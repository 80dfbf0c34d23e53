import type { HttpResponse } from '../../api/response.ts'
import type { Copyable } from './schema.ts'

/** JSON, or the Markdown page alone if the client prefers it. */
export function copyableResponse(copyable: Copyable, accept: string | undefined): HttpResponse {
  const headers = { vary: 'Origin, Accept' }
  if (!prefersMarkdown(accept)) return { status: 200, headers, body: copyable }
  return {
    status: 200,
    headers: { ...headers, 'content-type': 'text/markdown; charset=utf-8' },
    body: copyable.markdown,
  }
}

/** Markdown only if the request names it with at least the weight of JSON; a wildcard gets JSON. */
function prefersMarkdown(accept: string | undefined): boolean {
  const markdown = weightOf('text/markdown', accept)
  return markdown > 0 && markdown >= weightOf('application/json', accept)
}

function weightOf(type: string, accept = ''): number {
  const range = accept.split(',').find((part) => part.split(';')[0]?.trim().toLowerCase() === type)
  if (range === undefined) return 0
  return Number(/;\s*q=([\d.]+)/i.exec(range)?.[1] ?? 1)
}
