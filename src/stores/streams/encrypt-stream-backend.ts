import { InterlinguaError } from '../../errors.ts'
import {
  type CipherContext,
  createDataKey,
  decryptBytes,
  decryptText,
  encryptBytes,
  encryptText,
  importTenantKey,
} from '../encryption/ciphers.ts'
import { createWrongKeyError, findKey, type Keyring } from '../encryption/keyring.ts'
import { createDamagedDataError } from '../storage-errors.ts'
import type { StreamBackend, StreamBatch, StreamRow } from './stream-backend.ts'

/** The key of a stream, encrypted with a key of its tenant. */
interface WrappedKey {
  readonly keyId: string
  readonly key: string
}

type StreamIdentity = Pick<StreamRow, 'id' | 'tenant'>

const keyContext = ({ id, tenant }: StreamIdentity, keyId: string): CipherContext => [
  'stream key',
  tenant,
  id,
  keyId,
]
const batchContext = (id: string, { firstEvent, lastEvent }: StreamBatch): CipherContext => [
  'stream batch',
  id,
  firstEvent,
  lastEvent,
]

/** Encrypts the chunks of streams, each stream with a key of its own. */
export function encryptStreamBackend(backend: StreamBackend, keyring: Keyring): StreamBackend {
  /** Keys of the streams that this process has written or read, until they end or there are too many. */
  const keys = new Map<string, CryptoKey>()

  async function openKey(row: StreamRow): Promise<CryptoKey> {
    const known = keys.get(row.id)
    if (known !== undefined) return known
    const key = await unwrapKey(row, keyring)
    rememberKey(row.id, key)
    return key
  }

  function rememberKey(id: string, key: CryptoKey): void {
    if (keys.size >= MAX_KNOWN_KEYS) keys.delete(keys.keys().next().value ?? '')
    keys.set(id, key)
  }

  return {
    ...bindBackend(backend),
    open: async (stream, times, replaced) => {
      const bytes = createDataKey()
      const keyId = await keyring.currentKeyId(stream.tenant)
      const tenantKey = await importTenantKey(await findKey(keyring, stream.tenant, keyId))
      const wrapped: WrappedKey = {
        keyId,
        key: await encryptBytes(tenantKey, bytes, keyContext(stream, keyId)),
      }
      const active = await backend.open({ ...stream, dataKey: JSON.stringify(wrapped) }, times, replaced)
      if (active === undefined) rememberKey(stream.id, await importTenantKey(bytes))
      return active
    },
    update: async (id, { batch, ...update }) => {
      if (batch === undefined) return backend.update(id, update)
      const page = keys.has(id) ? undefined : await backend.read(update.tenant, id, update.lastEvent + 1)
      const key = page === undefined ? keys.get(id) : await openKey(page.row)
      if (key === undefined) return undefined
      const body = await encryptText(key, batch.body, batchContext(id, batch))
      return backend.update(id, { ...update, batch: { ...batch, body } })
    },
    read: async (tenant, id, firstEvent) => {
      const page = await backend.read(tenant, id, firstEvent)
      if (page === undefined || page.batches.length === 0) return page
      const key = await openKey(page.row)
      return {
        ...page,
        batches: await Promise.all(page.batches.map((batch) => decryptBatch(key, id, batch))),
      }
    },
  }
}

const MAX_KNOWN_KEYS = 1000

async function unwrapKey(row: StreamRow, keyring: Keyring): Promise<CryptoKey> {
  if (row.dataKey === null)
    throw new InterlinguaError('wrong-kind', 'The stream is not encrypted, but the log is', {
      expected: 'an encrypted stream',
      hint: 'Open the log without `encryption` to read it.',
    })
  const { keyId, key } = JSON.parse(row.dataKey) as WrappedKey
  const tenantKey = await findKey(keyring, row.tenant, keyId)
  try {
    const bytes = await decryptBytes(await importTenantKey(tenantKey), key, keyContext(row, keyId))
    return await importTenantKey(bytes)
  } catch (cause) {
    throw createWrongKeyError(row.tenant, keyId, cause)
  }
}

async function decryptBatch(key: CryptoKey, id: string, batch: StreamBatch): Promise<StreamBatch> {
  try {
    return { ...batch, body: await decryptText(key, batch.body, batchContext(id, batch)) }
  } catch (cause) {
    throw createDamagedDataError('A batch of the stream cannot be decrypted', cause)
  }
}

/** Refuses to read encrypted streams: a log without `encryption` cannot show their chunks. */
export function refuseEncryptedStreams(backend: StreamBackend): StreamBackend {
  return {
    ...bindBackend(backend),
    read: async (tenant, id, firstEvent) => {
      const page = await backend.read(tenant, id, firstEvent)
      if (page === undefined || page.row.dataKey === null) return page
      throw new InterlinguaError('missing-key', 'The stream is encrypted', {
        expected: 'a stream log with the option `encryption`',
        hint: 'Open the log with the keyring that encrypted it.',
      })
    },
  }
}

/** Copies the methods of a backend, which may be an instance of a class. */
function bindBackend(backend: StreamBackend): StreamBackend {
  return {
    open: (...args) => backend.open(...args),
    latest: (...args) => backend.latest(...args),
    read: (...args) => backend.read(...args),
    update: (...args) => backend.update(...args),
    requestStop: (...args) => backend.requestStop(...args),
    remove: (...args) => backend.remove(...args),
    removeExpired: () => backend.removeExpired(),
    close: () => backend.close(),
  }
}
