import { useEffect, useState } from 'react'
import type { Versioned } from '../../api/client.ts'
import {
  type Changes,
  differences,
  fieldsOf,
  isSame,
  type Project,
  type SetValue,
  type Values,
  withValue,
} from './draft.ts'

/** The user's input, and the version on which it is based. */
interface Stored {
  base: Versioned<Project>
  changes: Changes
}

export interface Draft {
  base: Versioned<Project>
  changes: Changes
  values: Values
  /** Whether the changes are from before a reload. */
  isRestored: boolean
  set: SetValue
  replace(base: Versioned<Project>, changes: Changes): void
  /** After a save: what was typed while it was sent stays. */
  acceptSaved(base: Versioned<Project>, saved: Changes): void
  /** After the logo was changed: the same version with another logo. */
  rebase(current: Versioned<Project>): void
  discard(): void
}

/** The unsaved changes of a project. This tab keeps them over a reload, for the user who typed them. */
export function useDraft(stored: Versioned<Project>, userId: string): Draft {
  const key = `parley:project-settings:${stored.record.id}:${userId}`
  const [draft, setDraft] = useState<Stored | null>(() => readStored(key))
  const [isRestored, setRestored] = useState(draft !== null)
  useEffect(() => {
    if (draft) sessionStorage.setItem(key, JSON.stringify(draft))
    else sessionStorage.removeItem(key)
  }, [key, draft])
  const base = draft?.base ?? stored
  const changes = draft?.changes ?? {}
  const replace = (next: Versioned<Project>, rest: Changes): void =>
    setDraft(fieldsOf(rest).length === 0 ? null : { base: next, changes: rest })
  return {
    base,
    changes,
    values: { ...base.record, ...changes },
    isRestored,
    set: (field, value) => replace(base, withValue(base.record, changes, field, value)),
    replace,
    acceptSaved(next, saved) {
      setRestored(false)
      setDraft((now) => {
        const typed = Object.entries(now?.changes ?? {}).filter(
          ([field, value]) => !isSame(value, saved[field as keyof Changes]),
        )
        return typed.length === 0 ? null : { base: next, changes: Object.fromEntries(typed) }
      })
    },
    rebase: (current) =>
      setDraft((now) =>
        now && differences(now.base.record, current.record).every((field) => field === 'logo')
          ? { ...now, base: current }
          : now,
      ),
    discard: () => {
      setRestored(false)
      setDraft(null)
    },
  }
}

function readStored(key: string): Stored | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as Stored | null
  } catch {
    return null
  }
}
