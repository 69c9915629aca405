/** Formats a number with its noun. */
export function formatCount(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}

/** Formats a cost. Most answers cost less than a cent. */
export function formatCost(amount: number, currency: string): string {
  return `${amount.toFixed(amount < 0.1 ? 5 : 2)} ${currency}`
}

/** Formats a duration: those below ten milliseconds have a decimal. */
export function formatMs(durationMs: number): string {
  return `${durationMs < 10 ? Number(durationMs.toFixed(1)) : Math.round(durationMs)}\u00a0ms`
}
