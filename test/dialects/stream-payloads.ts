import type { Json } from 'interlingua'

/** Returns the JSON payloads of a stream, framed as server-sent events, a JSON array, or one value per line. */
export function payloads(stream: string): Json[] {
  if (stream.trimStart().startsWith('[')) return JSON.parse(stream) as Json[]
  const lines = stream.split(/\r\n|\n|\r/)
  const events = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5))
  return (events.length > 0 ? events : lines.filter((line) => line.startsWith('{')))
    .map((data) => data.trim())
    .filter((data) => data !== '[DONE]' && data !== '')
    .map((data) => JSON.parse(data) as Json)
}
