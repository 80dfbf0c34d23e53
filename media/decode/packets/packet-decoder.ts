/** One array of samples per channel. */
export interface DecodedAudio {
  channelData: Float32Array[]
  samplesDecoded: number
  sampleRate: number
  /** One for each damaged packet. */
  errors?: { message: string }[]
}

/** WebAssembly or JavaScript, so that a memory error of a codec cannot leave its own memory. */
export interface PacketDecoder {
  ready: Promise<void>
  decodeFrames(packets: Uint8Array[]): DecodedAudio | Promise<DecodedAudio>
  free(): void
}
