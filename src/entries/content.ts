// The package entry `interlingua/content`: extra data, signatures, media of a browser, checks for empty content, and lists
// searched by key.
export { attachSignature, mediaFromBlob } from '../canonical/build/parts.ts'
export { mediaTypeOf } from '../canonical/build/media.ts'
export { getItem, hasItem, removeItem, setItem } from '../canonical/collections/list-item-operations.ts'
export { getExtra, hasExtra, withExtra, withoutExtra } from '../canonical/model/extra.ts'
export { isEmptyContent, isEmptyMessage, isEmptyPart } from '../canonical/read/content-checks.ts'
export { digestContent, isSignatureValid } from '../canonical/read/content-digest.ts'
