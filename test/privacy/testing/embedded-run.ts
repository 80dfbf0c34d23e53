import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLog } from '../../../platform/log.ts'
import { openEngines } from '../../../server/start/open-engines.ts'

/**
 * Runs in a network namespace without interfaces. Transcribes a recording, summarises it and writes a report with the embedded
 * engines, or with `connect` tries to reach a server. Prints what was transcribed, and how often anything in the namespace tried to
 * send a packet: the kernel counts attempts of threads and child processes, too.
 */
const SAMPLES = join(import.meta.dirname, '../../../speech/samples')

/** Packets that left, and those for which there was no route. */
function attempts(): number {
  const [names = [], values = []] = readFileSync('/proc/net/snmp', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('Ip: '))
    .map((line) => line.split(' '))
  const count = (name: string): number => Number(values[names.indexOf(name)])
  const six = [...readFileSync('/proc/net/snmp6', 'utf8').matchAll(/^Ip6Out(?:Requests|NoRoutes)\s+(\d+)$/gm)]
  return count('OutRequests') + count('OutNoRoutes') + six.reduce((sum, [, n]) => sum + Number(n), 0)
}

async function work(): Promise<{ text: string; points: number; sections: number }> {
  const { transcriber, summarizer } = await openEngines(
    {
      TRANSCRIBER: 'embedded',
      SUMMARIZER: 'embedded',
      TRANSCRIBE_MODEL: '',
      SUMMARIZE_MODEL: '',
      SUMMARIZE_WINDOW: 8_192,
    },
    createLog('silent'),
  )
  const { signal } = new AbortController()
  const path = join(SAMPLES, 'containers/clip.flac')
  const { segments, language } = await transcriber.transcribe({
    path,
    container: 'flac',
    language: null,
    hotwords: [],
    from: 0,
    signal,
  })
  const utterances = segments.map(({ start, text }, index) => ({ id: `${index}`, start, text }))
  const summary = await summarizer.summarize({ language, utterances, signal })
  const conversations = ['one', 'two'].map((id) => ({
    id,
    title: null,
    participant: null,
    language,
    utterances: utterances.map((one) => ({ ...one, id: `${id}-${one.id}` })),
  }))
  const report = await summarizer.report({
    title: null,
    language: 'en',
    instructions: null,
    conversations,
    signal,
    onProgress: () => {},
  })
  await transcriber.close()
  await summarizer.close()
  const text = segments.map((segment) => segment.text).join(' ')
  return { text, points: summary.points.length, sections: report.sections.length }
}

const before = attempts()
if (process.argv[2] === 'connect') {
  await fetch('http://192.0.2.1/').catch(() => {})
  console.log(JSON.stringify({ attempts: attempts() - before }))
} else console.log(JSON.stringify({ ...(await work()), attempts: attempts() - before }))
