export const SHOWS = ['all', 'trouble'] as const

/** The state of the room, which is in its address. */
export interface RoomSearch {
  show?: (typeof SHOWS)[number]
}

export const readRoomSearch = (search: Record<string, unknown>): RoomSearch =>
  search['show'] === 'trouble' ? { show: 'trouble' } : {}
