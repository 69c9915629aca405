import { omitUndefined } from '../../wire/json.ts'
import type { ConversationStorage } from '../conversation-storage.ts'
import { createStorage, type StorageOptions } from '../create-storage.ts'
import { createStreamLog, type StreamLogOptions } from '../streams/create-stream-log.ts'
import type { StreamLog } from '../streams/stream-log.ts'
import type { MigrationOptions } from './migrations.ts'
import { prepareSearchIndex, type SearchIndexOptions } from './search-index-rows.ts'
import type { SqlDriver } from './sql-driver.ts'
import { createSqlRowStore } from './sql-row-store.ts'
import { createSqlStreamBackend } from './sql-stream-backend.ts'

/** Creates a storage in a migrated database, which is closed if that fails. Completes interrupted deletions. */
export async function createSqlStorage(
  driver: SqlDriver,
  { search, migrate, ...options }: StorageOptions & SearchIndexOptions & MigrationOptions,
): Promise<ConversationStorage> {
  try {
    const { encryption } = options
    const hasIndex = await prepareSearchIndex(driver, omitUndefined({ search, migrate, encryption }))
    const rows = createSqlRowStore(driver, hasIndex)
    const storage = createStorage(rows, options)
    // In the background: a failure is left to the next deletion.
    rows.removeLeftovers?.().catch(() => undefined)
    return storage
  } catch (error) {
    await driver.close()
    throw error
  }
}

/** Creates a stream log in a migrated database, which is closed if that fails. */
export async function createSqlStreamLog(driver: SqlDriver, options: StreamLogOptions): Promise<StreamLog> {
  try {
    return createStreamLog(createSqlStreamBackend(driver), options)
  } catch (error) {
    await driver.close()
    throw error
  }
}
