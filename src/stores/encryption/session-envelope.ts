import { InterlinguaError } from '../../errors.ts'
import { toBase64 } from '../../wire/base64.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
import type { SessionRow } from '../rows/row-definitions.ts'
import {
  type CipherContext,
  createDataKey,
  decryptBytes,
  decryptText,
  deriveSessionKeys,
  encryptBytes,
  encryptText,
  importTenantKey,
  type SessionKeys,
} from './ciphers.ts'
import { createWrongKeyError, findKey, type Keyring } from './keyring.ts'

/** The parameter of a session row that contains everything encrypted. */
const ENVELOPE_NAME = '~encryption'

/** The data key of a session, encrypted with the key of its tenant, and the content of the row, encrypted with both. */
interface SessionEnvelope {
  readonly keyId: string
  readonly dataKey: string
  readonly content: string
}

/** The keys of a session, and how its data key is stored. */
export interface OpenedKeys {
  readonly keys: SessionKeys
  readonly wrapped: Pick<SessionEnvelope, 'keyId' | 'dataKey'>
}

type SessionContent = Pick<SessionRow, 'title' | 'labels' | 'parameters'>

const dataKeyContext = ({ tenant, key }: SessionRow, keyId: string): CipherContext => [
  'data key',
  tenant,
  key,
  keyId,
]
const contentContext = ({ tenant, key, id }: SessionRow): CipherContext => ['session', tenant, key, id]

/** Creates the data key of a new session. */
export async function createSessionKeys(row: SessionRow, keyring: Keyring): Promise<OpenedKeys> {
  const dataKey = createDataKey()
  return { keys: await deriveSessionKeys(dataKey), wrapped: await wrapDataKey(row, keyring, dataKey) }
}

async function wrapDataKey(
  row: SessionRow,
  keyring: Keyring,
  dataKey: Uint8Array<ArrayBuffer>,
): Promise<OpenedKeys['wrapped']> {
  const keyId = await keyring.currentKeyId(row.tenant)
  const tenantKey = await importTenantKey(await findKey(keyring, row.tenant, keyId))
  return { keyId, dataKey: await encryptBytes(tenantKey, dataKey, dataKeyContext(row, keyId)) }
}

/** Reads the keys of a stored session row. */
export async function openSessionKeys(row: SessionRow, keyring: Keyring): Promise<OpenedKeys> {
  const { keyId, dataKey } = readEnvelope(row)
  // The keyring is always asked, so that a key that was deleted is not used again.
  const tenantKey = await findKey(keyring, row.tenant, keyId)
  const cacheKey = [toBase64(tenantKey), dataKey, ...dataKeyContext(row, keyId)].join()
  const known = derivedKeys.get(cacheKey)
  const keys = known ?? (await deriveSessionKeys(await unwrapDataKey(row, tenantKey)))
  if (known === undefined && derivedKeys.size >= MAX_DERIVED_KEYS) derivedKeys.clear()
  derivedKeys.set(cacheKey, keys)
  return { keys, wrapped: { keyId, dataKey } }
}

const MAX_DERIVED_KEYS = 1000

/** Derived keys of sessions by everything they depend on: deriving them takes longer than most operations. */
const derivedKeys = new Map<string, SessionKeys>()

async function unwrapDataKey(row: SessionRow, tenantKey: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const { keyId, dataKey } = readEnvelope(row)
  try {
    return await decryptBytes(await importTenantKey(tenantKey), dataKey, dataKeyContext(row, keyId))
  } catch (cause) {
    throw createWrongKeyError(row.tenant, keyId, cause)
  }
}

/** Returns a stored row whose data key is encrypted with the current key; `undefined` if it is already. */
export async function rewrapSessionRow(row: SessionRow, keyring: Keyring): Promise<SessionRow | undefined> {
  const envelope = readEnvelope(row)
  if (envelope.keyId === (await keyring.currentKeyId(row.tenant))) return undefined
  const tenantKey = await findKey(keyring, row.tenant, envelope.keyId)
  const wrapped = await wrapDataKey(row, keyring, await unwrapDataKey(row, tenantKey))
  return { ...row, parameters: toParameters({ ...envelope, ...wrapped }) }
}

/** Encrypts the title, labels and parameters of a session. */
export async function encryptSessionRow(row: SessionRow, { keys, wrapped }: OpenedKeys): Promise<SessionRow> {
  const { title, labels, parameters } = row
  const text = JSON.stringify({ title, labels, parameters })
  const content = await encryptText(keys.content, text, contentContext(row))
  return { ...row, title: '', labels: [], parameters: toParameters({ ...wrapped, content }) }
}

/** Decrypts a session row. One that was changed or moved has a fault, so that the others are still listed. */
export async function decryptSessionRow(row: SessionRow, { keys }: OpenedKeys): Promise<SessionRow> {
  try {
    const text = await decryptText(keys.content, readEnvelope(row).content, contentContext(row))
    return { ...row, ...(JSON.parse(text) as SessionContent) }
  } catch {
    const reason = 'The session cannot be decrypted: its row was changed or moved'
    return { ...row, parameters: {}, fault: { isUnreadable: true, reason } }
  }
}

function toParameters(envelope: SessionEnvelope): JsonObject {
  return { [ENVELOPE_NAME]: { ...envelope } }
}

/** Throws if a row is encrypted: a storage without `encryption` must neither show nor change it. */
export function refuseEncryptedRow<T extends SessionRow | undefined>(row: T): T {
  if (row === undefined || !isEncryptedSessionRow(row)) return row
  throw new InterlinguaError('missing-key', 'The session is encrypted', {
    expected: 'a storage with the option `encryption`',
    hint: 'Open the storage with the keyring that encrypted it.',
  })
}

export function isEncryptedSessionRow(row: SessionRow): boolean {
  return findEnvelope(row) !== undefined
}

function findEnvelope({ parameters }: SessionRow): SessionEnvelope | undefined {
  const found = parameters[ENVELOPE_NAME]
  const isEnvelope =
    isObject(found) && ['keyId', 'dataKey', 'content'].every((name) => typeof found[name] === 'string')
  return isEnvelope ? (found as unknown as SessionEnvelope) : undefined
}

function readEnvelope(row: SessionRow): SessionEnvelope {
  const found = findEnvelope(row)
  if (found !== undefined) return found
  throw new InterlinguaError('wrong-kind', 'The session is not encrypted, but the storage is', {
    expected: 'an encrypted session',
    hint: 'Export the session from a storage without `encryption`, and import it into one with `encryption`.',
  })
}
