import type { Summarizer } from '../../summarizer.ts'
import { reportByExtract } from './report.ts'
import { summarizeByExtract } from './summarize.ts'

/** Picks sentences that were said; needs no model, no network and no key, and gives the same for the same transcript. */
export function createExtractiveSummarizer(): Summarizer {
  return {
    capabilities: { name: 'extractive' },
    summarize: summarizeByExtract,
    report: reportByExtract,
    close: async () => {},
  }
}
