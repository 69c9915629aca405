import { InterlinguaError } from '../errors.ts'
import { describeWriteError } from '../wire/write-error.ts'

/** Somebody else was faster, or the same name stands for something else. */
export function conflictError(message: string, hint: string): InterlinguaError {
  return new InterlinguaError('conflict', message, { hint })
}

/** The storage cannot be reached; whether a write came through is not known, so it is repeated as it was. */
export function unavailableError(cause: unknown): InterlinguaError {
  return new InterlinguaError('storage-unavailable', 'The storage cannot be reached', {
    hint: 'Try again with the same messages: what is stored already is not stored twice.',
    retryable: true,
    cause,
  })
}

/** The file or the disk below a storage does not serve; what was being written is not there. */
export function unusableError(cause: unknown): InterlinguaError {
  return new InterlinguaError(
    'storage-unavailable',
    `The storage cannot be used: ${describeWriteError(cause)}`,
    {
      hint: 'Check the path, its permissions and the room on the disk; then try again with the same messages.',
      cause,
    },
  )
}

/** The id is not quoted: it may be another tenant's. */
export function unknownSessionError(): InterlinguaError {
  return new InterlinguaError('unknown-session', 'There is no session of that id', {
    hint: 'Create it first, or check the id and the tenant.',
  })
}

export function unknownMessageError(): InterlinguaError {
  return new InterlinguaError('unknown-id', 'The session has no message of that id', {
    hint: 'Check the id; a fork has only what lies before the place where it was made.',
  })
}

export function damagedError(message: string, cause?: unknown): InterlinguaError {
  return new InterlinguaError('damaged', message, {
    hint: 'Call verify() to see what is damaged; export what is whole, or go back to a backup.',
    ...(cause !== undefined && { cause }),
  })
}

export function closedError(): InterlinguaError {
  return new InterlinguaError('storage-closed', 'The storage is closed', {
    hint: 'Open it again, and close it when nobody uses it any more.',
  })
}
