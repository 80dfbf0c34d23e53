import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProjectKey } from './projects.ts'

/** Audio that the demo sends at its first start. It is transcribed on this machine, which takes a while. */
export interface Recording {
  project: ProjectKey
  language: string
  name?: string
  /** Of a file that the host uploads; a participant's recording gets its own. */
  title?: string
  tags: string[]
  /** By the number of the chunk. A number that is left out is a chunk that never arrived. */
  chunks: Record<number, Sound>
}

interface Sound {
  type: string
  read(): Promise<Buffer>
}

const SAMPLES = join(import.meta.dirname, '../../speech/samples')
const sample = (file: string, type = 'audio/flac'): Sound => ({
  type,
  read: () => readFile(join(SAMPLES, file)),
})

/** The beginning of a file, then noise: a phone whose storage was full. */
const damaged = (file: string, type: string): Sound => ({
  type,
  async read() {
    const bytes = await readFile(join(SAMPLES, file))
    for (let i = 400; i < bytes.length; i++) bytes[i] = (i * 2_654_435_761) >>> 24
    return bytes
  },
})

const upload = (
  project: ProjectKey,
  language: string,
  title: string,
  tag: string,
  sound: Sound,
): Recording => ({ project, language, title, tags: [tag], chunks: { 0: sound } })

/** Announcements for callers at night. */
const NIGHT_LINE: [language: string, title: string, file: string][] = [
  ['it', 'Night line, Italian: no one is free', 'it-asterisk-1.flac'],
  ['it', 'Night line, Italian: menu', 'it-asterisk-2.flac'],
  ['es', 'Night line, Spanish: echo test', 'es-asterisk-1.flac'],
  ['fr', 'Night line, French: mailbox', 'fr-asterisk-1.flac'],
  ['en', 'Night line, English: new mailbox', 'en-asterisk-1.flac'],
  ['en', 'Night line, English: conference', 'en-asterisk-5.flac'],
  ['en', 'Night line, English: no one is free', 'en-asterisk-2.flac'],
]

/** Spoken by the samples that the repository ships: sentences about a park, announcements of a telephone, a reading. */
export const RECORDINGS: Recording[] = [
  {
    project: 'harbour',
    language: 'en',
    name: 'Lotte',
    tags: ['market'],
    chunks: { 0: damaged('containers/clip.mp4', 'audio/mp4') },
  },
  upload('school', 'en', 'Parents’ evening', 'parents', damaged('containers/clip.mp4', 'audio/mp4')),
  upload('school', 'en', 'Reading aloud, year 9', 'pupils', sample('en-librivox-1.flac')),
  {
    project: 'harbour',
    language: 'de',
    name: 'Jürgen',
    tags: ['park'],
    chunks: { 0: sample('de-espeak-1.flac') },
  },
  {
    project: 'harbour',
    language: 'en',
    name: 'Grace',
    tags: ['park', 'children'],
    // The second chunk is missing.
    chunks: { 0: sample('en-espeak-1.flac'), 2: sample('containers/clip.flac') },
  },
  ...NIGHT_LINE.map(([language, title, file]) =>
    upload('hospital', language, title, 'telephone', sample(file)),
  ),
]

/** People who write while the demo runs. */
export const LIVE = [
  { name: 'Table 4', text: 'We are five people at this table, and we all come by bicycle.' },
  {
    name: 'Table 7',
    text: 'The first thing we agree on is light. At six in the morning the quay is completely dark.',
  },
  { name: 'Table 9', text: 'Our question is who pays for the power points, the stalls or the city?' },
]
