/** A range of bytes of a file (without `end`, up to the end of the file), or bytes that no file has. */
export type Span = { path: string; start: number; end?: number } | { bytes: Uint8Array }
