import { CustomSource, Input } from 'mediabunny'
import { DEMUXERS } from '../containers/demuxers.ts'
import { placeSpans, readAcross } from './file-spans.ts'
import type { SourceFile } from './source-file.ts'

export const openSourceFile = async (file: SourceFile): Promise<Input> =>
  new Input({ formats: DEMUXERS[file.container], source: await sourceOf(file) })

async function sourceOf(file: SourceFile): Promise<CustomSource> {
  const spans = await placeSpans(file.spans)
  return new CustomSource({
    getSize: () => spans.at(-1)?.to ?? 0,
    read: (from, to) => readAcross(spans, from, to),
    prefetchProfile: 'fileSystem',
    maxCacheSize: 2 ** 21,
    // A read-ahead that fails while no call awaits it would end the process; the next read meets the same error.
    handleUnhandledError: () => undefined,
  })
}
