/** Reads the body of a request as text; undefined if it is longer than the limit, in which case it is not read to its end. */
export async function readRequestText(request: Request, maxBytes: number): Promise<string | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return undefined
  if (request.body === null) return ''
  const reader = request.body.getReader()
  const decoder = new TextDecoder()
  const texts: string[] = []
  for (let size = 0; ;) {
    const { done, value } = await reader.read()
    if (done) return [...texts, decoder.decode()].join('')
    size += value.byteLength
    if (size > maxBytes) {
      await reader.cancel().catch(() => undefined)
      return undefined
    }
    texts.push(decoder.decode(value, { stream: true }))
  }
}
