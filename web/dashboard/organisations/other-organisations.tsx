import { Card, NavLink, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { myOrganisationsQuery } from '../session/access.ts'
import type { Me } from '../session/me.ts'
import { useWords } from '../words/words.tsx'

/** Organisations in which the user has a role, but no workspace that would lead to them. */
export function OtherOrganisations({ workspaces }: { workspaces: Me['workspaces'] }): ReactNode {
  const w = useWords()
  const { data = [] } = useQuery(myOrganisationsQuery)
  const shown = new Set(workspaces.map(({ organisation_id }) => organisation_id))
  const others = data.filter(({ id }) => !shown.has(id))
  if (others.length === 0) return null
  return (
    <Card withBorder component="section" aria-labelledby="organisations">
      <Title order={2} id="organisations" mb="xs">
        {shown.size === 0 ? w.usage.organisations : w.organisation.others}
      </Title>
      {others.map(({ id, name, role }) => (
        <NavLink
          key={id}
          component={Link}
          to="/organisations/$oid"
          params={{ oid: id } as never}
          label={<bdi>{name}</bdi>}
          description={w.members.roles[role]}
        />
      ))}
    </Card>
  )
}
