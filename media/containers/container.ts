/** What recordings come in, told apart by their bytes. */
export type Container = 'webm' | 'ogg' | 'mp4' | 'wav' | 'mp3' | 'flac' | 'aac'
