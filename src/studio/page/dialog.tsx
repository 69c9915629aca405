import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { toVisibleText } from './format-values.ts'

interface DialogProps {
  readonly title: string
  readonly children: ComponentChildren
  /** The button that submits the form. */
  readonly submit: {
    readonly label: string
    readonly kind: 'primary' | 'danger'
    readonly disabled?: boolean
  }
  readonly onSubmit: () => void
  /** Called by the Escape key, too. */
  readonly onClose: () => void
}

/** A modal form. The browser keeps the focus inside, and returns it when the form is closed. */
export function Dialog({ title, children, submit, onSubmit, onClose }: DialogProps): VNode {
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    // The `close` event comes a frame after the dialog has closed, so it could close the next one.
    <dialog ref={element} class="dialog card" aria-label={title} onCancel={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
      >
        <h2>{title}</h2>
        {children}
        <div class="row">
          <span class="spacer" />
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class={submit.kind} disabled={submit.disabled}>
            {submit.label}
          </button>
        </div>
      </form>
    </dialog>
  )
}

/** Shows an error; nothing for an empty text. */
export function Alert({ text = '' }: { readonly text?: string | undefined }): VNode | null {
  if (text === '') return null
  return (
    <p class="alert" role="alert">
      {toVisibleText(text)}
    </p>
  )
}
