/** Reports: made by a job from what conversations say, read as Markdown, HTML and PDF. */
import './problems.ts'

export { exportReports } from './export-reports.ts'
export { registerPublishedReport } from './published-report.ts'
export { registerReports } from './routes.ts'
