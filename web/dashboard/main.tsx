import '@mantine/core/styles.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/query-client.ts'
import { router } from './router.tsx'
import { Gate } from './session/gate.tsx'
import { styleNonce } from './settings.ts'
import { cssVariables, themeOf } from './theme.ts'
import { loadWords, WordsProvider } from './words/words.tsx'

const words = await loadWords()

createRoot(document.getElementById('app') as HTMLElement).render(
  <StrictMode>
    <MantineProvider
      theme={themeOf(words)}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      <WordsProvider words={words}>
        <QueryClientProvider client={queryClient}>
          <Gate>
            <RouterProvider router={router} />
          </Gate>
        </QueryClientProvider>
      </WordsProvider>
    </MantineProvider>
  </StrictMode>,
)
