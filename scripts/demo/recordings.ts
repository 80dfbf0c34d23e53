import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProjectKey } from './projects.ts'

/** Audio that the demo sends today. It is transcribed on this machine, which takes a while. */
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

/** Spoken by the samples that the repository ships: sentences about a park, announcements of a telephone, a reading. */
export const RECORDINGS: Recording[] = [
  {
    project: 'harbour',
    language: 'en',
    name: 'Lotte',
    tags: ['market'],
    chunks: { 0: damaged('containers/clip.webm', 'audio/webm') },
  },
  {
    project: 'school',
    language: 'en',
    title: 'Parents’ evening',
    tags: ['parents'],
    chunks: { 0: damaged('containers/clip.mp4', 'audio/mp4') },
  },
  {
    project: 'harbour',
    language: 'de',
    name: 'Jürgen',
    tags: ['park'],
    chunks: { 0: sample('de-espeak-1.flac') },
  },
  {
    project: 'harbour',
    language: 'pt',
    name: 'Rui',
    tags: ['park'],
    chunks: { 0: sample('pt-espeak-1.flac') },
  },
  {
    project: 'harbour',
    language: 'pl',
    name: 'Paweł',
    tags: ['park'],
    chunks: { 0: sample('pl-espeak-1.flac') },
  },
  {
    project: 'harbour',
    language: 'nl',
    name: 'Marijke',
    tags: ['park', 'children'],
    chunks: { 0: sample('nl-espeak-1.flac') },
  },
  {
    project: 'harbour',
    language: 'en',
    name: 'Grace',
    tags: ['park', 'children'],
    chunks: { 0: sample('en-espeak-1.flac'), 2: sample('containers/clip.flac') },
  },
  {
    project: 'school',
    language: 'en',
    title: 'Reading aloud, year 9',
    tags: ['pupils'],
    chunks: { 0: sample('en-librivox-1.flac') },
  },
  {
    project: 'hospital',
    language: 'en',
    title: 'Night line, English',
    tags: ['telephone'],
    chunks: { 0: sample('en-asterisk-2.flac') },
  },
  {
    project: 'hospital',
    language: 'fr',
    title: 'Night line, French',
    tags: ['telephone'],
    chunks: { 0: sample('fr-asterisk-1.flac') },
  },
  {
    project: 'hospital',
    language: 'es',
    title: 'Night line, Spanish',
    tags: ['telephone'],
    chunks: { 0: sample('es-asterisk-1.flac') },
  },
  {
    project: 'hospital',
    language: 'it',
    title: 'Night line, Italian',
    tags: ['telephone'],
    chunks: { 0: sample('it-asterisk-1.flac') },
  },
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
