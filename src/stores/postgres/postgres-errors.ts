import { InterlinguaError } from '../../errors.ts'
import {
  CONNECTION_ERROR_RULES,
  createServerError,
  type ServerErrorRule,
  createUnavailableRule,
  UNREACHABLE_RULE,
  createUnusableRule,
} from '../server-error-rules.ts'

interface PostgresErrorRule extends ServerErrorRule {
  /** What the driver does before it reports the error: repeats the transaction, or waits for a lock and repeats it. */
  readonly repeat?: 'at-once' | 'until-lock-timeout'
}

const conflict = (
  message: string,
  hint: string,
  rest: Pick<PostgresErrorRule, 'retryable' | 'repeat'>,
): PostgresErrorRule => ({ code: 'conflict', message, hint, ...rest })

const READ_ONLY = createUnusableRule(
  'The storage cannot be written: the server or the role is read-only',
  'Connect to the primary server, or with a role that may write.',
)
const NOT_MIGRATED: PostgresErrorRule = {
  code: 'unsupported-version',
  message: 'The database has no tables of interlingua, or older ones',
  hint: 'Run `interlingua store migrate` with a role that may create tables.',
  retryable: false,
}

/**
 * Errors by SQLSTATE, by class of SQLSTATE (its first two characters), or by system error code of the connection.
 * See https://www.postgresql.org/docs/current/errcodes-appendix.html.
 */
export const POSTGRES_ERROR_RULES: Readonly<Record<string, PostgresErrorRule>> = {
  '08': UNREACHABLE_RULE,
  '22': {
    code: 'invalid-value',
    message: 'PostgreSQL cannot store a value',
    hint: 'Check the text for characters that the encoding of the database does not have; use UTF8.',
    retryable: false,
  },
  '23505': conflict(
    'Another writer has just stored a session or message with the same id',
    'Read the session again, then retry.',
    { retryable: false },
  ),
  '25006': READ_ONLY,
  '25P03': createUnavailableRule('The server ended a transaction that was idle for too long'),
  '25P04': createUnavailableRule('The server ended a transaction that took too long'),
  '28': createUnusableRule('The server refused the role or its password', 'Check the user and the password.'),
  '3D000': createUnusableRule('The database does not exist', 'Create the database, or check its name.'),
  '40001': conflict('Gave up after repeated write conflicts on this session', 'Try again.', {
    retryable: true,
    repeat: 'at-once',
  }),
  '40P01': conflict('Gave up after repeated deadlocks with other writers', 'Try again.', {
    retryable: true,
    repeat: 'at-once',
  }),
  '42501': createUnusableRule(
    'The storage cannot be used: permission is denied',
    'Grant the role the rights on the tables of interlingua, or connect with another role.',
  ),
  '42703': NOT_MIGRATED,
  '42P01': NOT_MIGRATED,
  '53': createUnavailableRule('The server is out of memory or another resource'),
  '53100': createUnusableRule(
    'The disk of the server is full',
    'Free disk space on the server, then try again.',
  ),
  '53300': createUnavailableRule(
    'The server has too many connections',
    'Lower `connections`, or raise `max_connections` of the server; then try again.',
  ),
  '55P03': conflict(
    'Another writer holds the session for too long',
    'Try again, or set a longer `lockTimeoutMs`.',
    { retryable: true, repeat: 'until-lock-timeout' },
  ),
  '57': createUnavailableRule('The server ended the connection or the statement'),
  '57014': createUnavailableRule(
    'A statement took too long and was cancelled',
    'Try again, or set a longer `statementTimeoutMs`.',
  ),
  '57P01': createUnavailableRule('The server is shutting down'),
  '57P02': createUnavailableRule('The server crashed and is restarting'),
  '57P03': createUnavailableRule('The server is starting up'),
  '58': createUnavailableRule('The server failed to read or write its files'),
  XX: {
    code: 'damaged',
    message: 'The server reported an internal error or damaged data',
    hint: 'Check the log of the server; call verify() to list the damage, or restore a backup.',
    retryable: false,
  },
  ...CONNECTION_ERROR_RULES,
}

/** Errors of `pg` that have no code, by their message. */
const CLIENT_ERROR_RULES: readonly (readonly [RegExp, PostgresErrorRule])[] = [
  [
    /timeout exceeded when trying to connect/,
    createUnavailableRule(
      'No connection became free in time',
      'Try again, or set more `connections` or a longer `connectTimeoutMs`.',
    ),
  ],
  [/connection timeout/i, createUnavailableRule('The server did not accept the connection in time')],
  [/Query read timeout/, createUnavailableRule('The server did not answer in time')],
  [/Connection terminated|Client has encountered a connection error|not queryable/, UNREACHABLE_RULE],
]

const UNKNOWN_STATE = createUnusableRule(
  'PostgreSQL rejected a statement',
  'See `cause`: the server reported an error that is not known to be temporary.',
)

/** Returns the rule of an error of PostgreSQL or its connection; undefined for any other error. */
export function findPostgresErrorRule(error: unknown): PostgresErrorRule | undefined {
  if (!(error instanceof Error) || error instanceof InterlinguaError) return undefined
  const code = 'code' in error ? String(error.code) : ''
  const rule = POSTGRES_ERROR_RULES[code]
  if (rule !== undefined) return rule
  if (isSqlState(code)) return POSTGRES_ERROR_RULES[code.slice(0, 2)] ?? UNKNOWN_STATE
  return CLIENT_ERROR_RULES.find(([pattern]) => pattern.test(error.message))?.[1]
}

/** Converts an error of PostgreSQL or its connection into a storage error; returns any other error unchanged. */
export function convertPostgresError(error: unknown): unknown {
  const rule = findPostgresErrorRule(error)
  return rule === undefined ? error : createServerError(rule, error)
}

/** Returns the error of a connection that failed: one that has no rule of its own is temporary. */
export function toConnectionError(error: unknown): unknown {
  return findPostgresErrorRule(error) === undefined ? createServerError(UNREACHABLE_RULE, error) : error
}

/** Tests whether the server reported the error; any other error of a statement is one of the connection. */
export function isServerError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && isSqlState(String(error.code))
}

/** Tests whether a code has the form of an SQLSTATE: five digits or upper-case letters, a digit among them. */
function isSqlState(code: string): boolean {
  return /^[0-9A-Z]{5}$/.test(code) && (/\d/.test(code) || code.startsWith('XX'))
}
