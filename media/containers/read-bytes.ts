export function ascii(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length))
}

export function uint24(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
}

export function uint32(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) * 2 ** 24 + uint24(bytes, at + 1)
}
