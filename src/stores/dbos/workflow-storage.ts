import { InterlinguaError } from '../../errors.ts'
import { sleep } from '../../wire/cancellation.ts'
import type { ConversationStorage } from '../conversation-storage.ts'

const MIN_RETRY_MS = 50
const MAX_RETRY_MS = 2_000

/**
 * Returns the storage for a workflow. A call that may succeed later is repeated until it does, because an error would end
 * the run; every repeated write is idempotent. `assertOwner` is called before the lease of another execution is replaced.
 */
export function createWorkflowStorage(
  storage: ConversationStorage,
  assertOwner: () => Promise<void>,
): ConversationStorage {
  return {
    ...storage,
    head: (...given) => repeatUntilDone(() => storage.head(...given)),
    get: (...given) => repeatUntilDone(() => storage.get(...given)),
    messages: (...given) => repeatUntilDone(() => storage.messages(...given)),
    append: (...given) => repeatUntilDone(() => storage.append(...given)),
    acquireLease: (...given) =>
      repeatUntilDone(async () => {
        if (given[1].replacedToken !== undefined) await assertOwner()
        return storage.acquireLease(...given)
      }),
    renewLease: (...given) => repeatUntilDone(() => storage.renewLease(...given)),
    releaseLease: (...given) => repeatUntilDone(() => storage.releaseLease(...given)),
  }
}

async function repeatUntilDone<T>(act: () => Promise<T>): Promise<T> {
  for (let delayMs = MIN_RETRY_MS; ; delayMs = Math.min(delayMs * 2, MAX_RETRY_MS)) {
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof InterlinguaError) || !error.retryable) throw error
    }
    await sleep(delayMs)
  }
}
