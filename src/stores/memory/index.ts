import type { ConversationStorage } from '../contract.ts'
import { storageOver, type StorageOptions } from '../storage.ts'
import { MemoryStore } from './store.ts'

/**
 * A storage that lives as long as the program: for tests, and for what need not survive.
 *
 * @example
 * const storage = memoryStorage()
 * const { id } = await storage.createSession()
 * await storage.append(id, 'Hello')
 */
export function memoryStorage(options?: StorageOptions): ConversationStorage {
  return storageOver(new MemoryStore(), options)
}
