import type { FileHandle } from 'node:fs/promises'
import type { Container } from '../containers/container.ts'
import { A_LAW, type Law, MU_LAW } from '../decode/g711.ts'

/** How samples are written. */
export interface PcmLayout {
  /** Bytes of one sample of one channel. */
  bytes: number
  isFloat: boolean
  isLittleEndian: boolean
  /** Only samples of one byte. */
  isUnsigned: boolean
  /** Samples of one byte of telephone recordings. */
  law?: Law
}

interface AudioData {
  rate: number
  channels: number
  /** Where its bytes are. */
  offset: number
  size: number
}

/** The audio of an AIFF or CAF file. */
export type AppleFile =
  | (AudioData & { codec: 'pcm'; layout: PcmLayout })
  | (AudioData & { codec: 'aac'; config: Uint8Array; packetBytes: number[]; delaySamples: number })
  /** Another codec, such as ALAC. */
  | { codec: string }

export type AppleContainer = Extract<Container, 'aiff' | 'caf'>

export const isApple = (container: Container): container is AppleContainer =>
  container === 'aiff' || container === 'caf'

/** By the names that AIFF-C and CAF have for them. */
export const LAWS: Readonly<Record<string, Law>> = { ulaw: MU_LAW, ULAW: MU_LAW, alaw: A_LAW, ALAW: A_LAW }

export const isPcm = (file: AppleFile): file is Extract<AppleFile, { layout: PcmLayout }> => 'layout' in file
export const isAac = (file: AppleFile): file is Extract<AppleFile, { config: Uint8Array }> => 'config' in file

export async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}
