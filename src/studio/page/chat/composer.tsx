import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { file as filePart, mediaFromBlob } from '../../../canonical/build/parts.ts'
import type { MediaPart, UserPart } from '../../../canonical/model/part.ts'
import { FileButton } from '../controls.tsx'
import { Alert } from '../dialog.tsx'
import { useDropZone } from '../drop-zone.ts'

const MAX_BYTES = 20 * 1024 * 1024
const TEXT_FILE = /^text\/|[/+](?:json|xml|yaml|javascript|typescript)$/

interface ComposerProps {
  readonly isRunning: boolean
  /** Returns false if the message was not stored. */
  readonly onSend: (content: readonly UserPart[]) => Promise<boolean>
  readonly onStop: () => void
}

/** The field for the next message. Files can be chosen, pasted or dropped. */
export function Composer({ isRunning, onSend, onStop }: ComposerProps): VNode {
  const [text, setText] = useState('')
  const [media, setMedia] = useState<readonly MediaPart[]>([])
  const [notice, setNotice] = useState('')

  const attach = async (files: Iterable<File>): Promise<void> => {
    const { parts, refused } = await readAttachments(files)
    setMedia((before) => [...before, ...parts])
    setNotice(refused.join(' '))
  }
  const isOver = useDropZone({ onFiles: attach })
  const send = async (event: Event): Promise<void> => {
    event.preventDefault()
    const textParts: readonly UserPart[] = text.trim() === '' ? [] : [{ type: 'text', text: text.trim() }]
    if (isRunning || textParts.length + media.length === 0) return
    setText('')
    setMedia([])
    if (await onSend([...textParts, ...media])) return
    // The message is not lost, unless the user has started another one.
    setText((current) => current || text)
    setMedia((current) => (current.length > 0 ? current : media))
  }
  return (
    <form class={`composer card ${isOver ? 'is-drop-target' : ''}`} onSubmit={(event) => void send(event)}>
      <textarea
        aria-label="Message"
        rows={2}
        placeholder="Ask something, or drop or paste files"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) void send(event)
        }}
        onPaste={(event) => {
          const files = event.clipboardData?.files
          if (files === undefined || files.length === 0) return
          event.preventDefault()
          void attach(files)
        }}
      />
      <Alert text={notice} />
      <div class="row">
        <FileButton text="Attach" label="Files to attach" multiple onFiles={attach} />
        {media.map((part, index) => (
          <button
            key={index}
            type="button"
            class="attachment"
            onClick={() => setMedia(media.filter((each) => each !== part))}
          >
            <AttachmentPicture part={part} />
            {part.name ?? part.type} ×<span class="visually-hidden">remove</span>
          </button>
        ))}
        <span class="spacer" />
        <span class="muted small wide-only">Enter sends, Shift+Enter adds a line</span>
        {isRunning ? (
          <button type="button" onClick={onStop}>
            Stop
          </button>
        ) : (
          <button type="submit" class="primary" disabled={text.trim() === '' && media.length === 0}>
            Send
          </button>
        )}
      </div>
    </form>
  )
}

function AttachmentPicture({ part: { type, source } }: { readonly part: MediaPart }): VNode | null {
  if (type !== 'image' || source.kind !== 'base64') return null
  return <img alt="" src={`data:${source.mediaType};base64,${source.data}`} />
}

/** Turns dropped, pasted or chosen files into parts of a message. `refused` says why others were not attached. */
async function readAttachments(
  files: Iterable<File>,
): Promise<{ readonly parts: readonly MediaPart[]; readonly refused: readonly string[] }> {
  const results = await Promise.all(Array.from(files, readAttachment))
  return {
    parts: results.filter((result) => typeof result !== 'string'),
    refused: results.filter((result) => typeof result === 'string'),
  }
}

/** Returns a file as a part, or the reason why it cannot be attached. */
async function readAttachment(blob: File): Promise<MediaPart | string> {
  const { name, type, size } = blob
  if (size > MAX_BYTES) return `${name} is larger than 20 MB.`
  try {
    if (TEXT_FILE.test(type)) return filePart({ text: await blob.text() }, { name })
    return await mediaFromBlob(blob, { name })
  } catch {
    return `${name} cannot be read.`
  }
}
