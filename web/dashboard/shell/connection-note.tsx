import { Paper, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { connectionFound, useConnectionLost } from '../api/connection.ts'
import { useWords } from '../words/words.tsx'
import classes from './shell.module.css'

const ASK_AGAIN_MS = 2_000

/** Shows that the server is not responding, asks until it responds, and then reloads the data of the page. */
export function ConnectionNote(): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const isLost = useConnectionLost()
  useEffect(() => {
    if (!isLost) return
    const timer = setInterval(() => {
      fetch('/api/ready', { cache: 'no-store' })
        .then(({ ok }) => {
          if (!ok) return
          connectionFound()
          void client.invalidateQueries()
        })
        .catch(() => {})
    }, ASK_AGAIN_MS)
    return () => clearInterval(timer)
  }, [isLost, client])
  return (
    <div className={classes['connection']} role="status">
      {isLost && (
        <Paper withBorder shadow="md" px="md" py={6} className={classes['note']}>
          <Text size="sm" fw={600}>
            {w.shell.reconnecting}
          </Text>
          <Text size="xs">{w.shell.reconnectingHelp}</Text>
        </Paper>
      )}
    </div>
  )
}
