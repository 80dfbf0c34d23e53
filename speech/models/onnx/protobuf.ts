/** The wire format of Protocol Buffers, as far as ONNX files need it. */

export interface Field {
  number: number
  /** The bytes of a length-delimited field; empty for numbers. */
  payload: Uint8Array
  /** The whole field with its tag, to copy it unchanged. */
  bytes: Uint8Array
  /** The value of a number with a variable length; 0 for others. */
  integer: number
}

/** How numbers and bytes are stored. */
const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 }

export function readFields(bytes: Uint8Array): Field[] {
  const fields: Field[] = []
  let at = 0
  const readVarint = (): number => {
    let [value, factor] = [0, 1]
    for (;;) {
      const byte = bytes[at++]
      if (byte === undefined) throw new RangeError('A message ends within a number.')
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
      factor *= 128
    }
  }
  while (at < bytes.length) {
    const from = at
    const tag = readVarint()
    const wire = tag & 7
    let [integer, length] = [0, 0]
    if (wire === WIRE.varint) integer = readVarint()
    else if (wire === WIRE.bytes) length = readVarint()
    else if (wire === WIRE.fixed64) length = 8
    else if (wire === WIRE.fixed32) length = 4
    else throw new RangeError('A message has a field of an unknown kind.')
    if (at + length > bytes.length) throw new RangeError('A message ends within a field.')
    const payload = wire === WIRE.bytes ? bytes.subarray(at, at + length) : new Uint8Array(0)
    at += length
    fields.push({ number: Math.floor(tag / 8), payload, bytes: bytes.subarray(from, at), integer })
  }
  return fields
}

export const textOf = (field: Field | undefined): string => new TextDecoder().decode(field?.payload)

/** Pieces are joined once at the end: weights are hundreds of megabytes. */
export type Pieces = readonly Uint8Array[]

export function message(number: number, pieces: Pieces): Pieces {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  return [varint(number * 8 + WIRE.bytes), varint(length), ...pieces]
}

export const textField = (number: number, text: string): Pieces =>
  message(number, [new TextEncoder().encode(text)])

export const integerField = (number: number, value: number): Pieces => [
  varint(number * 8 + WIRE.varint),
  varint(value),
]

/** Not negative. */
function varint(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = value
  while (rest >= 0x80) {
    bytes.push((rest % 128) | 0x80)
    rest = Math.floor(rest / 128)
  }
  return Uint8Array.from([...bytes, rest])
}
