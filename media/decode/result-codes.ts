/** The decoder rejected the bytes; the reason follows the code. */
export const UNREADABLE = 65
/** The file uses a codec that the decoder does not have. */
export const NEEDS_FFMPEG = 69
/** The disk could not be read. */
export const UNAVAILABLE = 75
