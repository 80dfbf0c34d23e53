import type { Language } from './language.ts'

export const pl: Language = {
  code: 'pl',
  percent: '\\bprocent\\b',
  injection: { imperatives: 'zignoruj', earlier: 'wszystkie|poprzednie', instructions: 'instrukcje' },
}
