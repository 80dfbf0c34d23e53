import { defineProblems } from '../api/problems.ts'

const REPORT_PROBLEMS = defineProblems({
  report_not_ready: {
    status: 409,
    title: 'Report not ready',
    meaning: 'The report has no document yet. Wait until its status is `ready`.',
  },
})

declare module '../api/problems.ts' {
  interface AreaProblems extends Record<keyof typeof REPORT_PROBLEMS, true> {}
}
