import { useCallback, useEffect, useState } from 'react'

/** Only for this tab, and only until the user signs out. */
const PREFIX = 'draft '

function read<T>(key: string): T | null {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + key) ?? 'null') as T | null
  } catch {
    return null
  }
}

/** Text that was typed and is not saved yet. It survives a reload, another page and a server that does not respond. */
export function useDraft<T>(key: string): [draft: T | null, setDraft: (draft: T | null) => void] {
  const [draft, setDraft] = useState(() => read<T>(key))
  useEffect(() => setDraft(read<T>(key)), [key])
  const set = useCallback(
    (changed: T | null) => {
      setDraft(changed)
      try {
        if (changed === null) sessionStorage.removeItem(PREFIX + key)
        else sessionStorage.setItem(PREFIX + key, JSON.stringify(changed))
      } catch {
        // A full storage: the draft is then only in the page.
      }
    },
    [key],
  )
  return [draft, set]
}

/** Nothing of this user stays for the next one. */
export const forgetTab = (): void => sessionStorage.clear()
