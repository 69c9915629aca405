/** Loss rules that only the UI protocols have. */
export const uiLossRules = {
  loss: {
    dropped: {
      'signature-dropped': 'The signature of {field} was omitted: {dialect} has no field for it.',
      'late-signature': 'A later signature of {field} was omitted: {dialect} had already closed the part.',
      'result-without-call': '{field} was omitted: {dialect} has no call with this id to attach it to.',
      'file-reference':
        '{field} was omitted: {dialect} needs a URL or the bytes, and the file is stored at a provider.',
      'foreign-citation': '{field} was omitted: {dialect} cannot show a citation of unknown type.',
      'forbidden-key':
        'Keys of {field} were omitted: {dialect} readers reject keys that can reach a prototype.',
    },
    downgraded: {
      'correction-omitted':
        'A correction of {field} was omitted: {dialect} cannot retract content that was already shown.',
      restarted: 'The answer at {field} started again: {dialect} cannot retract what was already shown.',
      'result-replaced': '{field} replaced an earlier result: {dialect} has one result per call.',
    },
    moved: {
      'late-delta':
        'Content of {field} arrived after {dialect} had closed the part: text was sent as a new part, anything else was omitted.',
    },
  },
  note: {
    dropped: {
      'opaque-event':
        'An event of unknown type at {field} was omitted: {dialect} sends it only if the option opaque allows it.',
      'message-metadata': '{field} was omitted: {dialect} sends it only through the option messageMetadata.',
      'message-field': '{field} was omitted: {dialect} has no field for it, and only the store needs it.',
    },
    downgraded: {
      'call-invalid':
        '{field} was marked as invalid: {dialect} sends arguments as text, and this text is not valid JSON.',
      'provider-call':
        '{field} was marked in its metadata: {dialect} has no field for calls that the provider executed.',
      'media-as-custom': '{field} was sent as a custom event: {dialect} has no media in answers.',
      'media-as-text': '{field} was sent as text: {dialect} has no text files in results.',
    },
    moved: {
      'late-citations': '{field} was sent as a custom event: {dialect} had already closed the message.',
      'call-name': 'The name of {field} was sent as metadata: {dialect} had already started the call.',
      'error-as-metadata': '{field} was sent as metadata: {dialect} has no error flag for results.',
      'citations-as-metadata': '{field} was sent as metadata: {dialect} has no citations.',
    },
    renamed: {
      'call-id-repeated': '{field} was changed: {dialect} requires a unique id for every call.',
    },
    synthesized: {
      'media-type-added': '{field} was set to a generic type: {dialect} requires a media type.',
      'source-synthesized':
        'A title or a media type was added to {field}: {dialect} requires both for a document.',
    },
  },
} as const

/** Loss rules of {@link sanitize}: what is removed from messages that an untrusted client sent. */
export const sanitizeLossRules = {
  loss: {
    dropped: {
      'untrusted-role': '{field} was removed: an untrusted client may not send messages with this role.',
      'untrusted-signature':
        '{field} was removed: a signature from an untrusted client may be forged or stolen.',
      'untrusted-file-id':
        "{field} was removed: a file id from an untrusted client may refer to someone else's file.",
      'untrusted-url': '{field} was removed: the policy does not allow this URL.',
      'untrusted-extra': '{field} was removed: residue from an untrusted client would be sent unchanged.',
      'untrusted-opaque': '{field} was removed: a block of unknown type would be sent unchanged.',
      'untrusted-metadata': '{field} was removed: only the application may write metadata.',
      'untrusted-provenance':
        '{field} was removed: only the server knows the origin, usage and finish of an answer.',
      'untrusted-provider-call': '{field} was removed: only the provider knows which calls it executed.',
      'untrusted-cache-hint':
        '{field} was removed: cache hints cost money, and those of a client displace those of the server.',
      'untrusted-tool-result':
        '{field} was removed: the policy accepts results of tools only from the server.',
      'untrusted-prefill': '{field} was removed: the model would continue an answer that the client wrote.',
      'untrusted-setting': '{field} was removed: the policy does not let a client choose this setting.',
      'untrusted-tool': '{field} was removed: the policy does not let a client define this tool.',
      'emptied-message': '{field} was removed: all of its content was removed.',
    },
  },
} as const

/** Loss rules of agents. */
export const agentLossRules = {
  loss: {
    dropped: {
      'agent-no-tools': '{field} was omitted: the model of {dialect} does not support tools.',
    },
  },
} as const
