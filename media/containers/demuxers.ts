import {
  ADTS,
  FLAC,
  type InputFormat,
  Logging,
  LogLevel,
  MATROSKA,
  MP3,
  MP4,
  OGG,
  QTFF,
  WAVE,
  WEBM,
} from 'mediabunny'
import type { Container } from './container.ts'

// mediabunny prints warnings about unusual files on the console. Our result says what is wrong with a file.
Logging.level = LogLevel.Silent

/** Only the demuxers of the detected container, so that a file is never read as something else. */
export const DEMUXERS: Readonly<Record<Container, InputFormat[]>> = {
  webm: [WEBM, MATROSKA],
  ogg: [OGG],
  mp4: [MP4, QTFF],
  wav: [WAVE],
  mp3: [MP3],
  flac: [FLAC],
  aac: [ADTS],
  // The joiner converts these first.
  aiff: [],
  caf: [],
}
