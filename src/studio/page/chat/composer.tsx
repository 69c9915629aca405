import type { VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { file as filePart, mediaFromBlob } from '../../../canonical/build/parts.ts'
import type { MediaPart, UserPart } from '../../../canonical/model/part.ts'

const MAX_BYTES = 20 * 1024 * 1024
const TEXT_FILE = /^text\/|[/+](?:json|xml|yaml|javascript|typescript)$/

interface ComposerProps {
  readonly isRunning: boolean
  readonly onSend: (content: readonly UserPart[]) => void
  readonly onStop: () => void
}

/** The field for the next message. Files can be chosen, pasted or dropped. */
export function Composer({ isRunning, onSend, onStop }: ComposerProps): VNode {
  const [text, setText] = useState('')
  const [media, setMedia] = useState<readonly MediaPart[]>([])
  const [notice, setNotice] = useState('')
  const [isDropTarget, setIsDropTarget] = useState(false)
  const picker = useRef<HTMLInputElement>(null)

  const attach = async (files: Iterable<File>): Promise<void> => {
    const { parts, refused } = await readAttachments(files)
    setMedia((before) => [...before, ...parts])
    setNotice(refused.length === 0 ? '' : `Too large (more than 20 MB): ${refused.join(', ')}`)
  }
  const send = (event?: Event): void => {
    event?.preventDefault()
    const words: readonly UserPart[] = text.trim() === '' ? [] : [{ type: 'text', text: text.trim() }]
    if (isRunning || words.length + media.length === 0) return
    onSend([...words, ...media])
    setText('')
    setMedia([])
  }
  return (
    <form
      class={`composer card ${isDropTarget ? 'is-drop-target' : ''}`}
      onSubmit={send}
      onDragOver={(event) => {
        event.preventDefault()
        setIsDropTarget(true)
      }}
      onDragLeave={() => setIsDropTarget(false)}
      onDrop={(event) => {
        event.preventDefault()
        setIsDropTarget(false)
        void attach(event.dataTransfer?.files ?? [])
      }}
    >
      <textarea
        aria-label="Message"
        rows={2}
        placeholder="Ask something. Enter sends, Shift+Enter adds a line. Drop or paste images and files."
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) send(event)
        }}
        onPaste={(event) => {
          const files = event.clipboardData?.files
          if (files === undefined || files.length === 0) return
          event.preventDefault()
          void attach(files)
        }}
      />
      {notice !== '' && <p role="alert">{notice}</p>}
      <div class="row">
        <button type="button" onClick={() => picker.current?.click()}>
          Attach
        </button>
        <input
          ref={picker}
          class="visually-hidden"
          type="file"
          multiple
          tabIndex={-1}
          aria-label="Files to attach"
          onChange={({ currentTarget }) => void attach(currentTarget.files ?? [])}
        />
        {media.map((part, index) => (
          <button
            key={index}
            type="button"
            class="badge"
            onClick={() => setMedia(media.filter((each) => each !== part))}
          >
            {part.name ?? part.type} ×<span class="visually-hidden">remove</span>
          </button>
        ))}
        <span class="spacer" />
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

/** Turns dropped, pasted or chosen files into parts of a message. Those that are too large are named in `refused`. */
async function readAttachments(
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
