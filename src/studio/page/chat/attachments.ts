import { mediaFromBlob, file as filePart } from '../../../canonical/build/parts.ts'
import type { MediaPart } from '../../../canonical/model/part.ts'

const MAX_BYTES = 20 * 1024 * 1024
const TEXT_FILE = /^text\/|[/+](?:json|xml|yaml|javascript|typescript)$/

/** Turns dropped, pasted or chosen files into parts of a message. Those that are too large are named in `refused`. */
export async function readAttachments(
  files: Iterable<File>,
): Promise<{ readonly parts: readonly MediaPart[]; readonly refused: readonly string[] }> {
  const all = [...files]
  const fitting = all.filter(({ size }) => size <= MAX_BYTES)
  const parts = await Promise.all(fitting.map(readAttachment))
  return { parts, refused: all.filter(({ size }) => size > MAX_BYTES).map(({ name }) => name) }
}

async function readAttachment(blob: File): Promise<MediaPart> {
  const { name, type } = blob
  if (TEXT_FILE.test(type)) return filePart({ text: await blob.text() }, { name })
  return mediaFromBlob(blob, { name })
}
