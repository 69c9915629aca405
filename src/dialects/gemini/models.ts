import type { ModelFamilies } from '../models.ts'

/** What Google says of its models: none of them goes on with an answer that ends the conversation. */
export const families: ModelFamilies = [[/gem(?:ini|ma)/, { prefill: false }]]

/** Models up to version 2 need no signatures on calls, and know budgets for thinking but no efforts. */
export function isBeforeThree(model: string | undefined): boolean {
  return model !== undefined && /(?:^|\/)gem(?:ini-[12](?!\d)|ma-)/.test(model)
}
