import { defineProblems } from '../api/problems.ts'

const MEMBER_PROBLEMS = defineProblems({
  already_member: {
    status: 409,
    title: 'Already a member',
    meaning: 'This user already has a role here. Change the role instead.',
  },
  last_owner: {
    status: 409,
    title: 'Last owner',
    meaning:
      'The last owner cannot be removed or given another role. Make another member an owner first. Owners without an active account at the identity store do not count.',
  },
})

declare module '../api/problems.ts' {
  interface AreaProblems extends Record<keyof typeof MEMBER_PROBLEMS, true> {}
}
