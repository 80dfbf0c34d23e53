import { Divider, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { meQuery } from '../session/me.ts'
import { PageLink } from '../ui/page-link.tsx'
import { useWords } from '../words/words.tsx'

const PAGES = ['organisations', 'workspaces', 'webhooks', 'jobs', 'audit'] as const

export function StaffLinks(): ReactNode {
  const w = useWords()
  const { data: me } = useQuery(meQuery)
  if (!me?.staff) return null
  return (
    <>
      <Divider my="sm" />
      <Text size="sm" fw={600} px="sm" mb={4}>
        {w.staff.title}
      </Text>
      <PageLink to="/staff" label={w.staff.overview} isExact />
      {PAGES.map((page) => (
        <PageLink key={page} to={`/staff/${page}`} label={w.staff[page]} />
      ))}
    </>
  )
}
