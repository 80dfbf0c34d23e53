import { readFile } from 'node:fs/promises'

/** Resource usage of a process since its start. */
export interface ProcessUsage {
  cpuMs: number
  /** Bytes read by system calls, from files and pipes; 0 where the system does not report it. */
  bytesRead: number
}

/** /proc counts CPU time in hundredths of a second, whatever the kernel's own tick is. */
const TICK_MS = 10

const readProc = (pid: number, name: string): Promise<string> =>
  readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')

/** Null where there is no /proc (outside Linux), or the process has ended. */
export async function usageOf(pid: number): Promise<ProcessUsage | null> {
  const [stat, io] = await Promise.all([readProc(pid, 'stat'), readProc(pid, 'io')])
  // The program's name, in brackets, can contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields.length < 13) return null
  const bytesRead = Number(/^rchar: (\d+)/m.exec(io)?.[1] ?? 0)
  return { cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS, bytesRead }
}

/** Resident memory in MiB; 0 outside Linux, where only the decoder's heap limit applies. */
export async function memoryOf(pid: number): Promise<number> {
  const pages = (await readProc(pid, 'statm')).split(' ')[1]
  return (Number(pages ?? 0) * 4096) / 2 ** 20
}
