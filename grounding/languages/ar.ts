import type { Language } from './language.ts'

export const ar: Language = {
  code: 'ar',
  percent: '٪',
  injection: { imperatives: 'تجاهل', earlier: 'السابقة|جميع', instructions: 'التعليمات' },
}
