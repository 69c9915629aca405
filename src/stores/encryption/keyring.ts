import { throwInvalid, throwWrongType } from '../../canonical/shape/shape.ts'
import { InterlinguaError } from '../../errors.ts'
import { checkMethods } from '../../wire/check-methods.ts'
import { isObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'
import { checkIdentifier } from '../check-arguments.ts'

/** The keys of tenants, each with an id. A keyring may ask a key management service for them. */
export interface Keyring {
  /** Returns the id of the key that encrypts the data keys of a tenant from now on. */
  currentKeyId(tenant: string): string | Promise<string>
  /** Returns the 32 bytes of a key, or `undefined` if there is no such key, or no longer. */
  key(tenant: string, keyId: string): Uint8Array | undefined | Promise<Uint8Array | undefined>
}

/** The keys of one tenant. */
export interface TenantKeys {
  /** Id of the key that encrypts from now on. */
  readonly current: string
  /** Keys of 32 bytes by id: the current one, and older ones that are still in use. */
  readonly keys: Readonly<Record<string, Uint8Array>>
}

/** Options of encryption at rest. */
export interface EncryptionOptions {
  readonly keys: Keyring
}

const KEY_SIZE = 32

/**
 * Creates a keyring from keys in memory, by tenant.
 *
 * @example
 * const key = crypto.getRandomValues(new Uint8Array(32)) // in practice, from a secret store
 * const keys = createKeyring({ default: { current: '2026', keys: { 2026: key } } })
 * const storage = memoryStorage({ encryption: { keys } })
 */
export function createKeyring(tenants: Readonly<Record<string, TenantKeys>>): Keyring {
  return withTypedErrors(() => {
    if (!isObject(tenants)) return throwWrongType(tenants, undefined, 'an object with keys by tenant')
    const byTenant = new Map(Object.entries(tenants))
    for (const [tenant, own] of byTenant) {
      const path = child(undefined, tenant)
      if (!isObject(own) || !isObject(own.keys))
        return throwWrongType(own, path, 'an object with `current` and `keys`')
      const { current, keys } = own
      if (typeof current !== 'string') throwWrongType(current, child(path, 'current'), 'the id of a key')
      for (const [id, key] of Object.entries(keys))
        if (!(key instanceof Uint8Array) || key.length !== KEY_SIZE)
          throwInvalid('invalid-value', child(child(path, 'keys'), id), 'no key', `${KEY_SIZE} bytes`)
      if (!Object.hasOwn(keys, current))
        throwInvalid(
          'invalid-value',
          child(path, 'current'),
          'an unknown key id',
          'the id of one of the keys',
        )
    }
    return Object.freeze({
      currentKeyId: (tenant: string) =>
        byTenant.get(checkIdentifier(tenant, 'tenant'))?.current ?? throwMissingKey(tenant),
      key: (tenant: string, id: string) => {
        const { keys = {} } = byTenant.get(checkIdentifier(tenant, 'tenant')) ?? {}
        return Object.hasOwn(keys, checkIdentifier(id, 'keyId')) ? keys[id] : undefined
      },
    })
  }, [tenants])
}

/** Checks a keyring that the caller may have written. */
export function checkKeyring(keys: Keyring): Keyring {
  return checkMethods(keys, 'encryption/keys', 'a keyring', ['currentKeyId', 'key'])
}

/** Returns the bytes of a key; throws if the keyring does not have it. */
export async function findKey(keys: Keyring, tenant: string, keyId: string): Promise<Uint8Array> {
  const key = await keys.key(tenant, keyId)
  if (key === undefined) return throwMissingKey(tenant, keyId)
  if (key instanceof Uint8Array && key.length === KEY_SIZE) return key
  throw new InterlinguaError('wrong-key', `The encryption key ${JSON.stringify(keyId)} is not a key`, {
    found: 'a value of another type or length',
    expected: `${KEY_SIZE} bytes`,
    hint: 'Check what the keyring returns for this key id.',
  })
}

function throwMissingKey(tenant: string, keyId?: string): never {
  const name =
    keyId === undefined ? 'a current encryption key' : `the encryption key ${JSON.stringify(keyId)}`
  throw new InterlinguaError(
    'missing-key',
    `The keyring does not have ${name} of the tenant ${JSON.stringify(tenant)}`,
    { hint: 'Add the key to the keyring. What was encrypted with a deleted key cannot be read again.' },
  )
}

export function createWrongKeyError(tenant: string, keyId: string, cause: unknown): InterlinguaError {
  const name = JSON.stringify(keyId)
  return new InterlinguaError(
    'wrong-key',
    `The data key of a session of the tenant ${JSON.stringify(tenant)} cannot be decrypted with the encryption key ${name}`,
    {
      hint: `Check that the keyring returns the right bytes for ${name}, and that the row was not changed.`,
      cause,
    },
  )
}
