/** Why there is no microphone; each has its own text. */
export type MicrophoneProblem = 'blocked' | 'none' | 'in_use' | 'not_secure' | 'no_recorder'

export class MicrophoneError extends Error {
  readonly problem: MicrophoneProblem

  constructor(problem: MicrophoneProblem) {
    super(problem)
    this.problem = problem
  }
}

const PROBLEMS: Record<string, MicrophoneProblem> = {
  NotAllowedError: 'blocked',
  SecurityError: 'blocked',
  NotFoundError: 'none',
  OverconstrainedError: 'none',
  NotReadableError: 'in_use',
  AbortError: 'in_use',
}

/**
 * Asks for the microphone. Noise suppression and echo cancellation are made for one person close to the phone: they remove the
 * others at a table.
 */
export async function openMicrophone(deviceId?: string): Promise<MediaStream> {
  if (!window.isSecureContext || !navigator.mediaDevices) throw new MicrophoneError('not_secure')
  if (typeof MediaRecorder === 'undefined') throw new MicrophoneError('no_recorder')
  const audio: MediaTrackConstraints = {
    echoCancellation: false,
    noiseSuppression: false,
    autoGainControl: true,
    ...(deviceId && { deviceId: { exact: deviceId } }),
  }
  try {
    return await navigator.mediaDevices.getUserMedia({ audio })
  } catch (error) {
    throw new MicrophoneError(PROBLEMS[(error as DOMException).name] ?? 'in_use')
  }
}

export interface MicrophoneChoice {
  id: string
  label: string
}

/** Browsers tell the names only after the microphone was allowed. */
export async function listMicrophones(): Promise<MicrophoneChoice[]> {
  const devices = await navigator.mediaDevices.enumerateDevices()
  return devices
    .filter(({ kind, deviceId, label }) => kind === 'audioinput' && deviceId !== '' && label !== '')
    .map(({ deviceId, label }) => ({ id: deviceId, label }))
}

export const closeMicrophone = (stream: MediaStream | null): void => {
  for (const track of stream?.getTracks() ?? []) track.stop()
}

/** Between attempts to find a microphone after one was lost. */
const REOPEN_MS = 2_000

/**
 * Tries until there is a microphone: the same if it is still there, else any. Calls back when there is none. Resolves with null when
 * the caller does not need one any more.
 */
export async function reopenMicrophone(
  deviceId: string | undefined,
  isWanted: () => boolean,
  onProblem: (problem: MicrophoneProblem) => void,
): Promise<MediaStream | null> {
  const openAny = () =>
    openMicrophone().catch(({ problem }: MicrophoneError) => {
      onProblem(problem)
      return null
    })
  while (isWanted()) {
    const stream = (await openMicrophone(deviceId).catch(() => null)) ?? (await openAny())
    if (stream && isWanted()) return stream
    closeMicrophone(stream)
    if (!stream) await new Promise((resolve) => setTimeout(resolve, REOPEN_MS))
  }
  return null
}

/** Calls back when the browser no longer lists the device of this track; some phones do not end the track then. */
export function onUnplugged(track: MediaStreamTrack, callback: () => void, signal: AbortSignal): void {
  const { deviceId } = track.getSettings()
  const check = async () => {
    const known = await listMicrophones().catch(() => [])
    const isGone = deviceId !== undefined && known.length > 0 && known.every(({ id }) => id !== deviceId)
    if (isGone && !signal.aborted) callback()
  }
  navigator.mediaDevices.addEventListener('devicechange', () => void check(), { signal })
}
