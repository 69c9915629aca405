import { type DialectName, dialects, type JsonObject, type Translation } from 'interlingua'

/** Translates a response, also one that contains an error, which `translateResponse` throws. */
export function translateAnyResponse(
  body: unknown,
  { from, to }: { readonly from: DialectName; readonly to: DialectName },
): Translation<JsonObject> {
  return dialects[to].encodeResponse(dialects[from].decodeResponse(body).value)
}
