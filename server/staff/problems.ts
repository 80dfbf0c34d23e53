import { defineProblems } from '../api/problems.ts'

const STAFF_PROBLEMS = defineProblems({
  job_not_failed: {
    status: 409,
    title: 'Job not failed',
    meaning: 'Only a failed job can be run again. Read its state from the list of jobs.',
  },
})

declare module '../api/problems.ts' {
  interface AreaProblems extends Record<keyof typeof STAFF_PROBLEMS, true> {}
}
