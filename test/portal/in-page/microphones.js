// Lets a test do to the microphone what a phone does to it. Two fake devices are there, so one can be unplugged.
const devices = navigator.mediaDevices
const { getUserMedia, enumerateDevices } = devices
const streams = []
const unplugged = new Set()

const listed = async () =>
  (await enumerateDevices.call(devices)).filter(({ deviceId }) => !unplugged.has(deviceId))

devices.enumerateDevices = listed
devices.getUserMedia = async ({ audio }) => {
  if (window.phone.isBlocked) throw new DOMException('blocked', 'NotAllowedError')
  const id = audio.deviceId?.exact
  if (unplugged.has(id)) throw new DOMException('unplugged', 'OverconstrainedError')
  const any = (await listed()).find(({ kind }) => kind === 'audioinput')
  const deviceId = unplugged.size > 0 && any ? { exact: any.deviceId } : audio.deviceId
  const stream = await getUserMedia.call(devices, { audio: { ...audio, deviceId } })
  streams.push(stream)
  return stream
}

const track = () => streams.at(-1).getAudioTracks()[0]

window.phone = {
  opened: () => streams.length,
  // How many are on now, as the browser shows beside the address.
  inUse: () => streams.filter((stream) => stream.active).length,
  device: () => track().getSettings().deviceId,
  mute(isMuted) {
    Object.defineProperty(track(), 'muted', { value: isMuted, configurable: true })
    track().dispatchEvent(new Event(isMuted ? 'mute' : 'unmute'))
  },
  endTrack: () => track().stop(),
  // As the browser does when it ends a track, which it says in an event.
  disconnect() {
    track().stop()
    track().dispatchEvent(new Event('ended'))
  },
  unplug() {
    unplugged.add(track().getSettings().deviceId)
    devices.dispatchEvent(new Event('devicechange'))
  },
  hide(isHidden) {
    Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  },
  isStalled: false,
  isBlocked: false,
}

// A recorder that gives nothing more and does not say that it has stopped.
const Recorder = window.MediaRecorder
window.MediaRecorder = class extends Recorder {
  constructor(...given) {
    super(...given)
    const swallow = (event) => window.phone.isStalled && event.stopImmediatePropagation()
    for (const name of ['dataavailable', 'stop']) this.addEventListener(name, swallow)
  }
}
