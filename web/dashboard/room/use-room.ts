import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api, dataOf } from '../api/client.ts'
import { expireSession } from '../session/expired.ts'
import {
  type ConversationEvent,
  type Room,
  type SegmentEvent,
  withConversation,
  withSegment,
  withSnapshot,
} from './room-state.ts'
import { followEvents, type ServerEvent } from './server-events.ts'

/** Signs of life do not come by the stream. */
const REFRESH_MS = 5_000

interface LiveRoom {
  /** Null until it is known. */
  room: Room | null
  /** How far the clock of the server is ahead of this page's, in milliseconds. */
  clockOffset: number
  /** When the room was last read, by the clock of this page. */
  readAt: number
  connection: 'connecting' | 'live' | 'lost'
  error: Error | null
  retry: () => void
}

/**
 * The room, live. Text comes by the stream, which is open before the room is read: so nothing falls between the two, and after a lost
 * connection it continues with the event after the last one.
 */
export function useRoom(projectId: string): LiveRoom {
  const [room, setRoom] = useState<Room | null>(null)
  const [connection, setConnection] = useState<LiveRoom['connection']>('connecting')
  const offset = useRef(0)
  const snapshot = useQuery({
    queryKey: ['projects', projectId, 'live'],
    queryFn: async ({ signal }) => {
      const requestedAt = Date.now()
      const live = await dataOf(
        api.GET('/api/v2/projects/{pid}/live', { params: { path: { pid: projectId } }, signal }),
      )
      return { live, requestedAt, offset: Date.parse(live.at) - Date.now() }
    },
    enabled: connection !== 'connecting',
    refetchInterval: REFRESH_MS,
    // A projector shows it also when the host works in another window.
    refetchIntervalInBackground: true,
    staleTime: 0,
    gcTime: 0,
  })
  const { data, refetch } = snapshot
  useEffect(() => {
    if (!data) return
    offset.current = data.offset
    setRoom((before) => withSnapshot(before ?? new Map(), data.live, data.requestedAt))
  }, [data])
  useEffect(() => {
    const over = new AbortController()
    const onEvent = ({ type, data: event }: ServerEvent) =>
      setRoom((before) => {
        if (!before) return before
        if (type === 'segment') return withSegment(before, event as SegmentEvent, Date.now())
        const now = new Date(Date.now() + offset.current).toISOString()
        return type === 'conversation' ? withConversation(before, event as ConversationEvent, now) : before
      })
    void followEvents(`/api/v2/projects/${projectId}/stream?include=segments`, {
      onEvent,
      onOpen: () => {
        setConnection('live')
        void refetch()
      },
      onLost: (status) => {
        setConnection('lost')
        if (status === 401) expireSession()
      },
      signal: over.signal,
    })
    return () => over.abort()
  }, [projectId, refetch])
  const isBroken = connection === 'lost' || snapshot.failureCount > 0 || snapshot.isError
  return {
    room,
    clockOffset: data?.offset ?? 0,
    readAt: snapshot.dataUpdatedAt,
    connection: isBroken ? 'lost' : connection,
    error: room ? null : snapshot.error,
    retry: () => void refetch(),
  }
}
