import { useEffect } from 'react'

export interface RecentPage {
  path: string
  title: string
}

const KEY = 'recent pages'
const MAX_RECENT = 8
const SUFFIX = / · Parley$/

/** Pages of one record; those of lists and settings are near it. */
const OF_A_RECORD =
  /^\/(projects|organisations|workspaces)\/[\da-f-]{36}(\/(conversations|reports|webhooks)\/[\da-f-]{36})?$/

/** The pages that were open in this tab, newest first. */
export function recentPages(): RecentPage[] {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as RecentPage[]
  } catch {
    return []
  }
}

function remember(page: RecentPage): void {
  const others = recentPages().filter(({ path }) => path !== page.path)
  try {
    sessionStorage.setItem(KEY, JSON.stringify([page, ...others].slice(0, MAX_RECENT)))
  } catch {
    // A full storage: the page is only not offered again.
  }
}

/** Remembers each page when it has set its title. */
export function useRecentPages(): void {
  useEffect(() => {
    const title = document.querySelector('title')
    if (!title) return
    const observer = new MutationObserver(() => {
      const { pathname: path } = location
      if (OF_A_RECORD.test(path) && SUFFIX.test(document.title))
        remember({ path, title: document.title.replace(SUFFIX, '') })
    })
    observer.observe(title, { childList: true, characterData: true, subtree: true })
    return () => observer.disconnect()
  }, [])
}
