import { ALL_FORMATS, EncodedPacketSink, FilePathSource, Input } from 'mediabunny'

export interface Probed {
  mimeType: string
  /** From the header, without reading the packets. */
  headerSeconds: number | null
  seconds: number
  packets: { timestamp: number; duration: number; data: Buffer }[]
  /** Where a player lands that seeks to the middle. */
  middle: number | null
}

/** Properties of the file as a player reads them. */
export async function probeFile(path: string): Promise<Probed> {
  using input = new Input({ formats: ALL_FORMATS, source: new FilePathSource(path) })
  const track = await input.getPrimaryAudioTrack()
  if (!track) throw new Error('no audio track')
  const sink = new EncodedPacketSink(track)
  const packets: Probed['packets'] = []
  for await (const { timestamp, duration, data } of sink.packets())
    packets.push({ timestamp, duration, data: Buffer.from(data) })
  const seconds = await input.computeDuration()
  return {
    mimeType: await input.getMimeType(),
    headerSeconds: await input.getDurationFromMetadata(),
    seconds,
    packets,
    middle: (await sink.getPacket(seconds / 2))?.timestamp ?? null,
  }
}
