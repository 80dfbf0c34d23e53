/** Which version of a report is open, and whether it is edited: both are in the address. */
export interface ReportSearch {
  version?: number
  edit?: true
}

/** Values that an address can have by accident are ignored. */
export function readReportSearch(search: Record<string, unknown>): ReportSearch {
  const version = Number(search['version'])
  return {
    ...(Number.isInteger(version) && version > 0 && version < 1e9 && { version }),
    ...(search['edit'] === true && { edit: true as const }),
  }
}
