import type { InferenceSession, Tensor } from 'onnxruntime-web'
import { SpeechFailure } from '../failure.ts'
import { readWeights, type WeightFile } from './weights.ts'

type Runtime = Pick<typeof import('onnxruntime-web'), 'InferenceSession' | 'Tensor'>

export type { Tensor }

/** onnxruntime with a number of threads. */
export interface Inference {
  load(file: WeightFile): Promise<Model>
  /** `released`: temporary memory is given back after each run. */
  loadGraph(file: Uint8Array, memory: 'kept' | 'released'): Promise<Model>
  floats(data: Float32Array, dims: number[]): Tensor
  integers(data: readonly number[], dims: number[]): Tensor
  flag(value: boolean): Tensor
  /** `wasm` runs on every platform, at half the speed. */
  readonly kind: 'native' | 'wasm'
}

export interface Model {
  /** Returns only the requested outputs: whisper's attention maps alone are 430 MB. */
  run<Name extends string>(
    inputs: Record<string, Tensor>,
    outputs: readonly Name[],
  ): Promise<Record<Name, Tensor>>
}

const SESSION_SETTINGS = {
  // Unpacks the quantised vocabulary once instead of for each token: 11 instead of 18 ms per token, for 80 MB of memory.
  disable_quant_qdq: '1',
  // Spinning threads would occupy a core that another job could use.
  intra_op: { allow_spinning: '0' },
}

export async function openInference(threads: number, allowNative = true): Promise<Inference> {
  const native = allowNative ? await loadNative() : null
  const runtime = native ?? (await loadWasm(threads))
  const options: InferenceSession.SessionOptions = {
    intraOpNumThreads: threads,
    extra: { session: SESSION_SETTINGS },
    ...(native ? {} : { executionProviders: ['wasm'] }),
  }
  const { Tensor: TensorOf } = runtime
  const loadGraph: Inference['loadGraph'] = async (file, memory) => {
    const withMemory = { ...options, enableCpuMemArena: memory === 'kept' }
    const session = await runtime.InferenceSession.create(file, withMemory)
    return { run: (inputs, outputs) => session.run(inputs, [...outputs]) as ReturnType<Model['run']> }
  }
  return {
    kind: native ? 'native' : 'wasm',
    load: async (file) => loadGraph(await readWeights(file), 'kept'),
    loadGraph,
    floats: (data, dims) => new TensorOf('float32', data, dims),
    integers: (data, dims) => new TensorOf('int64', BigInt64Array.from(data, BigInt), dims),
    flag: (value) => new TensorOf('bool', [value], [1]),
  }
}

/** An optional package. Null if it is not installed, or has no binary for this platform. */
async function loadNative(): Promise<Runtime | null> {
  const name = 'onnxruntime-node'
  // Otherwise it sends data on models and the machine to its vendor. It reads the variable when it is loaded; threads cannot set it.
  process.env['ORT_DISABLE_TELEMETRY'] = '1'
  return import(name).then(
    (module: { default: Runtime }) => module.default,
    () => null,
  )
}

async function loadWasm(threads: number): Promise<Runtime> {
  const runtime = await import('onnxruntime-web').catch(() => {
    throw new SpeechFailure('misconfigured', 'Neither onnxruntime-node nor onnxruntime-web can be loaded.')
  })
  runtime.env.wasm.numThreads = threads
  runtime.env.logLevel = 'error'
  return runtime
}
