import { defineProblems } from '../api/problems.ts'

const WEBHOOK_PROBLEMS = defineProblems({
  webhook_disabled: {
    status: 409,
    title: 'Webhook disabled',
    meaning: 'The webhook is disabled. Enable it and try again.',
  },
  disabled_by_staff: {
    status: 409,
    title: 'Disabled by staff',
    meaning: 'Staff of the service disabled this webhook. Only staff can enable it again.',
  },
  secret_unreadable: {
    status: 409,
    title: 'Secret unreadable',
    meaning: 'The secret of this webhook can no longer be decrypted. Set a new secret and try again.',
  },
  payload_erased: {
    status: 409,
    title: 'Payload erased',
    meaning: 'The content of this delivery was erased, so it cannot be sent again.',
  },
  test_delivery: {
    status: 409,
    title: 'Test delivery',
    meaning: 'A test delivery cannot be resent, because it has no event. Send a new test instead.',
  },
  replay_finished: {
    status: 409,
    title: 'Replay finished',
    meaning: 'The replay has already finished, so it cannot be cancelled.',
  },
})

declare module '../api/problems.ts' {
  interface AreaProblems extends Record<keyof typeof WEBHOOK_PROBLEMS, true> {}
}
