/**
 * The token by which a vendor recognises a part: sent only to hosts of that vendor, and never with edited content.
 */
export interface Signature {
  /** The vendor that made the token and can verify it, such as `anthropic`, `openai` or `google`. */
  readonly vendor: string
  readonly value: string
  /** Digest of the content that the token authenticates (see `digestOf`). */
  readonly contentDigest: string
}
