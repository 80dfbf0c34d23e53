/** Connections to PostgreSQL: at most this many of the first process, with the embedded identity store, and of each helper. */
const OF_FIRST = 45
const OF_HELPER = 25
/** Connections that stay free for backups, migrations and people. */
const SPARE = 15

/** PostgreSQL takes about as much CPU time as the processes that use it. More than eight were not measured. */
const wantedOn = (cores: number): number => Math.min(8, Math.max(1, Math.floor(cores / 2)))

/** How many processes share the work, the first one included, if the database does not limit them. */
export const wantedProcesses = (setting: number | 'auto', cores: number): number =>
  setting === 'auto' ? wantedOn(cores) : setting

/** The wanted number, or less if the database has too few connections for it. */
export const processesFor = (wanted: number, maxConnections: number): number =>
  Math.max(1, Math.min(wanted, 1 + Math.floor((maxConnections - SPARE - OF_FIRST) / OF_HELPER)))

/** How many connections that many processes need. */
export const connectionsFor = (processes: number): number =>
  Math.max(100, SPARE + OF_FIRST + OF_HELPER * (processes - 1))
