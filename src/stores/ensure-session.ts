import type { ConversationStorage } from './conversation-storage.ts'

/** Creates a session if the storage does not have it. */
export async function ensureSession(storage: ConversationStorage, id: string): Promise<void> {
  if ((await storage.session(id)) !== undefined) return
  await storage.createSession({ id }).catch(async (error: unknown) => {
    // Another program may have created it.
    if ((await storage.session(id)) === undefined) throw error
  })
}
