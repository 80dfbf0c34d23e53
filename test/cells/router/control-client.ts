import type { TrafficReport } from './traffic.ts'

/** The requests of a mover to the router. */
export interface RouterControl {
  /** Resolves when every request of the organisation gets 503 and none is in flight. */
  hold(organisation: string): Promise<void>
  /** From now on, requests go to this cell. */
  place(organisation: string, cell: string): Promise<void>
  report(): Promise<TrafficReport>
}

export function routerControl(baseUrl: string): RouterControl {
  const send = async (method: string, path: string): Promise<unknown> => {
    const response = await fetch(`${baseUrl}${path}`, { method })
    if (!response.ok) throw new Error(`The router returned ${response.status} for ${method} ${path}`)
    return response.json()
  }
  return {
    hold: async (organisation) => void (await send('POST', `/hold/${organisation}`)),
    place: async (organisation, cell) => void (await send('POST', `/place/${organisation}/${cell}`)),
    report: async () => (await send('GET', '/report')) as TrafficReport,
  }
}
