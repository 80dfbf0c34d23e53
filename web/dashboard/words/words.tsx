import { createContext, type ReactNode, useContext } from 'react'
import { en, type Words } from './en/index.ts'

const Context = createContext<Words>(en)

export const WordsProvider = ({ children }: { children: ReactNode }): ReactNode => (
  <Context value={en}>{children}</Context>
)

/** The texts in the user's language. */
export const useWords = (): Words => useContext(Context)
