import type { Schemas } from '../api/client.ts'

type Paragraph = Schemas['ReportDocument']['sections'][number]['paragraphs'][number]

/** Paragraphs that a member added. */
export const isAdded = ({ edited, sources }: Paragraph): boolean => edited && sources.length === 0

/**
 * The paragraphs before and after the quotations. Those of an extract only add to the quotations, so they follow them, except what a
 * member wrote at the beginning. Published reports have the same order.
 */
export function aroundQuotations<P>(
  paragraphs: readonly P[],
  method: Schemas['Report']['method'],
  isOwn: (paragraph: P) => boolean,
): [opening: readonly P[], context: readonly P[]] {
  const first = method === 'extractive' ? paragraphs.findIndex((one) => !isOwn(one)) : -1
  const count = first < 0 ? paragraphs.length : first
  return [paragraphs.slice(0, count), paragraphs.slice(count)]
}
