/** Reports: made by a job from what conversations say, read as Markdown, HTML and PDF. */
import './problems.ts'

export { eraseFromReports } from './erase-from-reports.ts'
export { exportReports } from './export-reports.ts'
export { registerPublishedReport } from './published-report.ts'
export { recoverStalledReports } from './recover-stalled-reports.ts'
export { registerReports } from './routes.ts'
