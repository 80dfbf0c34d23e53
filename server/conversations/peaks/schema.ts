import { z } from 'zod'

/** A wide screen has one bar for two pixels. */
export const MAX_PEAKS = 1_000

export const Peaks = z
  .object({
    duration_seconds: z.number(),
    peaks: z
      .array(z.number().int().min(0).max(255))
      .max(MAX_PEAKS)
      .describe('The loudest moment of each equal span of the audio; 255 is the loudest possible'),
  })
  .meta({ id: 'Peaks' })

export type PeaksRecord = z.output<typeof Peaks>
