import { dialectLaws } from './dialect-laws.ts'
import { conversationLaws } from './conversation-laws.ts'
import type { PortableLaw } from './portable-law.ts'
import { serviceLaws } from './service-laws.ts'
import { storageLaws } from './storage-laws.ts'

/** All laws. */
export const portableLaws: readonly PortableLaw[] = [
  ...dialectLaws,
  ...conversationLaws,
  ...storageLaws,
  ...serviceLaws,
]

/** The outcome of a law in one runtime. */
export interface LawResult {
  readonly name: string
  /** The digest of what the law returned. */
  readonly digest?: string
  readonly error?: string
}

async function createDigest(value: unknown): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify(value) ?? '')
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', text))
  return [...bytes.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Runs all laws one after the other. */
export async function runLaws(): Promise<readonly LawResult[]> {
  const results: LawResult[] = []
  for (const { name, run } of portableLaws) {
    try {
      results.push({ name, digest: await createDigest(await run()) })
    } catch (error) {
      results.push({ name, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  }
  return results
}
