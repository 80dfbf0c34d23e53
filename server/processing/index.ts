/** From audio to text, and from text to less of it. */
export { EngineFailure, givenUp } from './engine-failure.ts'
export { openEngines } from './engines/open-engines.ts'
export { engineWarnings } from './engines/warnings.ts'
export type { ReportDraft, ReportSource, Summarizer } from './summarizer.ts'
export type { Transcriber } from './transcriber.ts'
export { startProcessing } from './work.ts'
