/** The requests of one organisation. */
interface Traffic {
  open: Set<OpenRequest>
  /** How often each status or other outcome came from a cell. */
  statuses: Record<string, number>
  /** Responses of the router itself while the organisation was held. */
  held: number
  heldSince: number | null
  /** How long each hold took, in milliseconds. */
  holds: number[]
}

export interface OpenRequest {
  /** An event stream, which does not end until the router ends it. */
  isStream: boolean
  cutOff(): void
}

/** For the report of the simulation. */
export type TrafficReport = Record<string, Pick<Traffic, 'statuses' | 'held' | 'holds'>>

/** Counts the requests of each organisation, and waits for those in flight. */
export function createTraffic() {
  const all = new Map<string, Traffic>()
  const of = (organisation: string): Traffic => {
    const found = all.get(organisation)
    if (found) return found
    const traffic: Traffic = { open: new Set(), statuses: {}, held: 0, heldSince: null, holds: [] }
    all.set(organisation, traffic)
    return traffic
  }
  return {
    begin: (organisation: string, request: OpenRequest) => void of(organisation).open.add(request),
    end(organisation: string, request: OpenRequest, outcome: string): void {
      const { open, statuses } = of(organisation)
      if (!open.delete(request)) return
      statuses[outcome] = (statuses[outcome] ?? 0) + 1
    },
    countHeld: (organisation: string) => void of(organisation).held++,
    /** Ends streams, and resolves when no request is in flight. After `limitMs`, ends the others, too. */
    async drain(organisation: string, limitMs: number): Promise<void> {
      const traffic = of(organisation)
      traffic.heldSince ??= performance.now()
      const deadline = performance.now() + limitMs
      while (traffic.open.size > 0) {
        const isLate = performance.now() > deadline
        for (const request of traffic.open) if (request.isStream || isLate) request.cutOff()
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
    release(organisation: string): void {
      const traffic = of(organisation)
      if (traffic.heldSince !== null) traffic.holds.push(Math.round(performance.now() - traffic.heldSince))
      traffic.heldSince = null
    },
    report: (): TrafficReport =>
      Object.fromEntries([...all].map(([id, { statuses, held, holds }]) => [id, { statuses, held, holds }])),
  }
}

export type TrafficCounter = ReturnType<typeof createTraffic>
