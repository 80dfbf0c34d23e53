/** The audio formats that Parley accepts. `sniffContainer` detects them by their bytes. */
export type Container = 'webm' | 'ogg' | 'mp4' | 'wav' | 'mp3' | 'flac' | 'aac' | 'aiff' | 'caf'

interface ContainerInfo {
  /** For texts that people read. */
  name: string
  contentType: string
  extension: string
  /** ffmpeg never guesses its demuxer: a file could be a playlist, which opens other files and addresses. */
  ffmpegDemuxer: string
}

export const CONTAINERS: Readonly<Record<Container, ContainerInfo>> = {
  webm: { name: 'WebM', contentType: 'audio/webm', extension: 'webm', ffmpegDemuxer: 'matroska' },
  ogg: { name: 'Ogg', contentType: 'audio/ogg', extension: 'ogg', ffmpegDemuxer: 'ogg' },
  // Players open `.mp4` as a video.
  mp4: { name: 'MP4', contentType: 'audio/mp4', extension: 'm4a', ffmpegDemuxer: 'mov' },
  wav: { name: 'WAV', contentType: 'audio/wav', extension: 'wav', ffmpegDemuxer: 'wav' },
  mp3: { name: 'MP3', contentType: 'audio/mpeg', extension: 'mp3', ffmpegDemuxer: 'mp3' },
  flac: { name: 'FLAC', contentType: 'audio/flac', extension: 'flac', ffmpegDemuxer: 'flac' },
  aac: { name: 'AAC', contentType: 'audio/aac', extension: 'aac', ffmpegDemuxer: 'aac' },
  aiff: { name: 'AIFF', contentType: 'audio/aiff', extension: 'aiff', ffmpegDemuxer: 'aiff' },
  caf: { name: 'CAF', contentType: 'audio/x-caf', extension: 'caf', ffmpegDemuxer: 'caf' },
}

/** The file extension for a content type; `bin` for an unknown one. */
export const extensionOf = (contentType: string): string =>
  Object.values(CONTAINERS).find((info) => info.contentType === contentType)?.extension ?? 'bin'
