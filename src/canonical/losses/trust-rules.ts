/** Loss rules of {@link sanitize}: what is removed from messages that an untrusted client sent. */
export const trustRules = {
  'untrusted-role': [
    'loss',
    'dropped',
    '{field} was removed: an untrusted client may not send messages with this role.',
  ],
  'untrusted-signature': [
    'loss',
    'dropped',
    '{field} was removed: a signature from an untrusted client may be forged or stolen.',
  ],
  'untrusted-file-id': [
    'loss',
    'dropped',
    "{field} was removed: a file id from an untrusted client may refer to someone else's file.",
  ],
  'untrusted-url': ['loss', 'dropped', '{field} was removed: the policy does not allow this URL.'],
  'untrusted-extra': [
    'loss',
    'dropped',
    '{field} was removed: residue from an untrusted client would be sent unchanged.',
  ],
  'untrusted-opaque': [
    'loss',
    'dropped',
    '{field} was removed: a block of unknown type would be sent unchanged.',
  ],
  'untrusted-metadata': ['loss', 'dropped', '{field} was removed: only the application may write metadata.'],
  'untrusted-provenance': [
    'loss',
    'dropped',
    '{field} was removed: only the server knows the origin, usage and finish of an answer.',
  ],
  'untrusted-provider-call': [
    'loss',
    'dropped',
    '{field} was removed: only the provider knows which calls it executed.',
  ],
  'emptied-message': ['loss', 'dropped', '{field} was removed: it had no content left.'],
} as const
