import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createEmbeddedTranscriber } from '../../speech/index.ts'
import { rounded, saveFigures } from '../deliveries/figures.ts'
import { compareWords } from './compare-words.ts'
import { readLines, sampleSounds } from './dialogues.ts'
import { transcribeLive } from './live.ts'
import { requestFor, writeSound } from './recordings.ts'

/**
 * `node bench/speech/slices.ts [--lines=queen.1c] [--forgetful]`: 20 recordings, transcribed live in chunks of different lengths,
 * against the transcripts of the whole files. `--lines` takes acted dialogues from Debian's flight-of-the-amazon-queen; without it,
 * the recordings are made of speech/samples. `--forgetful`: as if the service was restarted after each chunk.
 */
const { values } = parseArgs({
  options: { lines: { type: 'string' }, forgetful: { type: 'boolean', default: false } },
})
const CHUNK_SECONDS = [5, 7, 10, 3, 6, 8, 4, 5.5, 12, 30]
/** Words that are missing or repeated in a row. With other audio around it, a single word can be recognised differently. */
const MIN_WORDS = 2
const MAX_SHIFT_SECONDS = 0.3

const folder = mkdtempSync(join(tmpdir(), 'parley-slices-'))
const engine = createEmbeddedTranscriber({ concurrency: 1 })
const totals = { recordings: 0, words: 0, doubled: 0, lost: 0, shifted: 0, other_words: 0, longest_shift: 0 }
try {
  const sounds = await (values.lines ? readLines(values.lines, folder) : sampleSounds())
  for (const [n, sound] of sounds.entries()) {
    const path = join(folder, 'whole.wav')
    await writeSound(path, sound)
    const recording = { path, container: 'wav' as const, language: 'en', text: '', seconds: 0 }
    const whole = (await engine.transcribe(requestFor(recording, 'en'))).segments
    const seconds = CHUNK_SECONDS[n % CHUNK_SECONDS.length] ?? 5
    const live = await transcribeLive(engine, recording, { seconds, folder, isForgetful: values.forgetful })
    const textOf = (phrases: readonly { text: string }[]) => phrases.map(({ text }) => text).join(' ')
    const { inserted, deleted, others, words } = compareWords(textOf(whole), textOf(live))
    const starts = live.map(({ start }) => start / 1000)
    const shifts = whole.map(({ start }) => Math.min(...starts.map((other) => Math.abs(other - start))))
    const isLong = (run: readonly string[]): boolean => run.length >= MIN_WORDS
    const single = [...inserted, ...deleted].filter((run) => !isLong(run)).flat()
    totals.recordings++
    totals.words += words
    totals.doubled += inserted.filter(isLong).length
    totals.lost += deleted.filter(isLong).length
    totals.shifted += shifts.filter((shift) => shift > MAX_SHIFT_SECONDS).length
    totals.other_words += others + single.length
    totals.longest_shift = rounded(Math.max(totals.longest_shift, ...shifts))
    console.log(
      JSON.stringify({ n, seconds, phrases: [whole.length, live.length], inserted, deleted, others }),
    )
  }
  console.log(totals)
  await saveFigures(values.forgetful ? 'slices-forgetful' : 'slices', totals)
} finally {
  await engine.close()
  rmSync(folder, { recursive: true })
}
