import { z } from 'zod'
import { defineProblems } from '../api/problems.ts'
import { ProblemSchema } from '../api/schema.ts'

const CONVERSATION_PROBLEMS = defineProblems({
  closed: {
    status: 403,
    title: 'Project closed',
    meaning:
      'The project is closed and does not accept new conversations. Conversations in progress can be finished. Ask the organisation that shared the link whether it will open again; its hosts can set `is_open`.',
  },
  chunk_conflict: {
    status: 409,
    title: 'Sequence number in use',
    meaning:
      'A different chunk was already uploaded with this sequence number. Upload new audio with an unused number.',
  },
  chunks_missing: {
    status: 409,
    title: 'Chunks missing',
    meaning:
      'Some chunks have not arrived. `missing` lists their sequence numbers: upload them and try again.',
    schema: ProblemSchema.extend({
      missing: z.array(z.number().int()).describe('Sequence numbers of the chunks that have not arrived'),
    }).meta({ id: 'ChunksMissingProblem' }),
    example: { missing: [2, 3] },
  },
  conversation_in_progress: {
    status: 409,
    title: 'Conversation in progress',
    meaning:
      'The conversation is still being recorded or processed. Wait until its status is `done` or `failed`.',
  },
  not_ready_yet: {
    status: 409,
    title: 'Not ready yet',
    meaning:
      'The audio file or its waveform is still being prepared. Wait for the number of seconds in Retry-After, then try again.',
    headers: ['Retry-After'],
  },
  consent_required: {
    status: 422,
    title: 'Consent required',
    meaning: 'The project has a consent text. Show it, and send `consent: true` when the participant agrees.',
  },
})

declare module '../api/problems.ts' {
  interface AreaProblems extends Record<keyof typeof CONVERSATION_PROBLEMS, true> {}
}
