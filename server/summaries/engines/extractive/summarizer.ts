import type { Summarizer } from '../../summarizer.ts'
import { reportByExtract } from './report.ts'
import { summarizeByExtract } from './summarize.ts'

/** Selects sentences of the transcript. Needs no model, network or key, and its results are reproducible. */
export function createExtractiveSummarizer(): Summarizer {
  return {
    capabilities: { name: 'extractive' },
    summarize: summarizeByExtract,
    report: reportByExtract,
    close: async () => {},
  }
}
