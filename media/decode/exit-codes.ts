/** The decoder rejected the bytes; the reason is on stderr. */
export const EXIT_UNREADABLE = 65
/** The file uses a codec that the decoder does not have. */
export const EXIT_NEEDS_FFMPEG = 69
/** The disk could not be read. */
export const EXIT_UNAVAILABLE = 75
