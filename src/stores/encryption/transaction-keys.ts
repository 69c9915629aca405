import { createDamagedDataError, createUnknownSessionError } from '../storage-errors.ts'
import type { RowTransaction } from '../rows/row-store.ts'
import type { LabelRow, MessageRow, NodeRow, SessionRow } from '../rows/row-definitions.ts'
import { InterlinguaError } from '../../errors.ts'
import { type CipherContext, decryptText, encryptForLookup, encryptText } from './ciphers.ts'
import type { Keyring } from './keyring.ts'
import {
  createSessionKeys,
  decryptSessionRow,
  encryptSessionRow,
  type OpenedKeys,
  openSessionKeys,
} from './session-envelope.ts'

interface TenantSessionKeys extends OpenedKeys {
  readonly tenant: string
}

/** The start of every encrypted value; the number is the version of the format. */
const ENCRYPTED_START = 'encrypted:1:'

/** Length of a checksum and of a hash. Both precede the body of a message. */
const DIGEST_LENGTH = 64

/** Encrypts and decrypts the rows of one transaction. Each session is asked for its keys once. */
export class TransactionKeys {
  readonly #rows: RowTransaction
  readonly #keyring: Keyring
  readonly #bySession = new Map<string, Promise<TenantSessionKeys>>()

  constructor(rows: RowTransaction, keyring: Keyring) {
    this.#rows = rows
    this.#keyring = keyring
  }

  /** Decrypts a session. One whose key is missing has a fault, so that it can be deleted. */
  async decryptSession(row: SessionRow): Promise<SessionRow> {
    if (row.fault?.isUnreadable === true) return row
    try {
      return await decryptSessionRow(
        row,
        await this.#remember(row, () => openSessionKeys(row, this.#keyring)),
      )
    } catch (error) {
      if (!isKeyError(error)) throw error
      return { ...row, parameters: {}, fault: { isUnreadable: true, reason: error.message, error } }
    }
  }

  async encryptSession(row: SessionRow): Promise<SessionRow> {
    const known = await this.#findKeys(row.key)
    const keys = known ?? (await this.#remember(row, () => createSessionKeys(row, this.#keyring)))
    return encryptSessionRow(row, keys)
  }

  #remember({ key, tenant }: SessionRow, open: () => Promise<OpenedKeys>): Promise<TenantSessionKeys> {
    const known = this.#bySession.get(key)
    if (known !== undefined) return known
    const opened = open().then((keys) => ({ ...keys, tenant }))
    this.#bySession.set(key, opened)
    return opened
  }

  /** Returns the keys of a stored session, if it exists. */
  async #findKeys(session: string): Promise<TenantSessionKeys | undefined> {
    const known = this.#bySession.get(session)
    if (known !== undefined) return known
    const row = await this.#rows.sessionByKey(session)
    return row && this.#remember(row, () => openSessionKeys(row, this.#keyring))
  }

  async #keysOf(session: string): Promise<TenantSessionKeys> {
    const keys = await this.#findKeys(session)
    if (keys === undefined) throw createUnknownSessionError()
    return keys
  }

  async decryptNode<T extends NodeRow>(row: T): Promise<T> {
    const { tenant, keys } = await this.#keysOf(row.session)
    const hash = await tryDecrypt(keys.lookup, row.hash, hashContext(tenant, row))
    return { ...row, hash: hash ?? row.hash }
  }

  /** Returns a hash as it is stored for a session; `undefined` if the session does not exist. */
  async encryptHash(row: Pick<NodeRow, 'session' | 'section' | 'hash'>): Promise<string | undefined> {
    const found = await this.#findKeys(row.session)
    if (found === undefined) return undefined
    return ENCRYPTED_START + (await encryptForLookup(found.keys, row.hash, hashContext(found.tenant, row)))
  }

  /** Encrypts a message. Its checksum is encrypted, too: it would tell whether two messages are equal. */
  async encryptMessage(row: MessageRow): Promise<MessageRow> {
    const { tenant, keys } = await this.#keysOf(row.session)
    const text = row.checksum + row.hash + row.body
    const body = ENCRYPTED_START + (await encryptText(keys.content, text, messageContext(tenant, row)))
    return { ...row, hash: (await this.encryptHash(row)) ?? '', checksum: '', body }
  }

  /**
   * Decrypts a message. The body of one that was changed, moved or not encrypted becomes unreadable, so that reading it
   * fails and `verify()` reports it.
   */
  async decryptMessage(row: MessageRow): Promise<MessageRow> {
    const { tenant, keys } = await this.#keysOf(row.session)
    const text = (await tryDecrypt(keys.content, row.body, messageContext(tenant, row))) ?? ''
    return {
      ...row,
      checksum: text.slice(0, DIGEST_LENGTH),
      hash: text.slice(DIGEST_LENGTH, 2 * DIGEST_LENGTH),
      body: text.slice(2 * DIGEST_LENGTH),
    }
  }

  /**
   * Encrypts messages again for another session, which then owns them. Without the key of their session, they stay as
   * they are; reading them fails as before.
   */
  async transferMessages(rows: readonly MessageRow[], session: string): Promise<readonly MessageRow[]> {
    const transfer = async (row: MessageRow): Promise<MessageRow> => {
      try {
        return await this.encryptMessage({ ...(await this.decryptMessage(row)), session, usage: null })
      } catch (error) {
        if (!isKeyError(error)) throw error
        return { ...row, session, usage: null }
      }
    }
    return Promise.all(rows.map(transfer))
  }

  async encryptLabel(row: LabelRow): Promise<LabelRow> {
    const { tenant, keys } = await this.#keysOf(row.session)
    return {
      ...row,
      label: ENCRYPTED_START + (await encryptForLookup(keys, row.label, labelContext(tenant, row))),
    }
  }

  async decryptLabel(row: LabelRow): Promise<LabelRow> {
    const { tenant, keys } = await this.#keysOf(row.session)
    const label = await tryDecrypt(keys.lookup, row.label, labelContext(tenant, row))
    if (label === undefined)
      throw createDamagedDataError('A label cannot be decrypted: its row was changed or moved')
    return { ...row, label }
  }
}

/** Tests whether an error states that a key is missing or wrong. */
function isKeyError(error: unknown): error is InterlinguaError {
  return error instanceof InterlinguaError && (error.code === 'missing-key' || error.code === 'wrong-key')
}

const messageContext = (tenant: string, row: NodeRow): CipherContext => {
  const { session, section, key, id, parent, depth } = row
  return ['message', tenant, session, section, key, id, parent, depth]
}

const hashContext = (
  tenant: string,
  { session, section }: Pick<NodeRow, 'session' | 'section'>,
): CipherContext => ['hash', tenant, session, section]

const labelContext = (tenant: string, { session, message }: LabelRow): CipherContext => [
  'label',
  tenant,
  session,
  message,
]

/** Returns the decrypted text; `undefined` if it cannot be decrypted. */
async function tryDecrypt(
  key: CryptoKey,
  stored: string,
  context: CipherContext,
): Promise<string | undefined> {
  if (!stored.startsWith(ENCRYPTED_START)) return undefined
  return decryptText(key, stored.slice(ENCRYPTED_START.length), context).catch(() => undefined)
}
