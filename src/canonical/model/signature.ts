/**
 * The token by which its maker recognises a part: sent only to hosts of that maker, and never with an edited content.
 */
export interface Signature {
  /** Who made it and can verify it, such as `anthropic`, `openai` or `google`. */
  readonly maker: string
  readonly value: string
  /** Digest of the content it vouches for (see `digestOf`). */
  readonly of: string
}
