import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { findWindow, RowHeights } from './row-heights.ts'

interface VirtualListProps {
  readonly count: number
  /** The identity of a row: its measured height is kept under it. */
  readonly keyOf: (index: number) => string
  readonly render: (index: number) => ComponentChildren
  /** The height of a row that was never shown. */
  readonly estimatedHeight: number
  readonly label: string
  readonly class?: string
  /** The row to scroll to. */
  readonly target?: number | undefined
  /** True to stay at the end while rows are added. */
  readonly sticksToEnd?: boolean
  /** Called with the rows that are shown. */
  readonly onWindow?: (start: number, end: number) => void
}

/** A list that renders only the rows in view, whatever its length. */
export function VirtualList(props: VirtualListProps): VNode {
  const { count, keyOf, render, estimatedHeight, label, target, sticksToEnd = false, onWindow } = props
  const box = useRef<HTMLDivElement>(null)
  const heights = useRef(new RowHeights())
  const isAtEnd = useRef(sticksToEnd)
  const [view, setView] = useState({ top: 0, height: 800 })
  const [, setVersion] = useState(0)
  const observer = useRef<ResizeObserver | undefined>(undefined)
  const offsets = heights.current.computeOffsets(count, keyOf, estimatedHeight)
  const total = offsets[count] ?? 0
  const { start, end } = findWindow(offsets, view.top, view.height)

  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const measure = (): void => setView({ top: element.scrollTop, height: element.clientHeight })
    const resized = new ResizeObserver((entries) => {
      const isChanged = entries.map(({ target: row }) => {
        const { key } = (row as HTMLElement).dataset
        return key !== undefined && heights.current.set(key, (row as HTMLElement).offsetHeight)
      })
      if (isChanged.includes(true)) setVersion((version) => version + 1)
      measure()
    })
    observer.current = resized
    resized.observe(element)
    measure()
    return () => resized.disconnect()
  }, [])

  useLayoutEffect(() => {
    const element = box.current
    if (element !== null && isAtEnd.current) element.scrollTop = element.scrollHeight
  })

  // Rows above the target change their heights when they are loaded, so it is kept in view until the user scrolls.
  const kept = useRef<number | undefined>(undefined)
  useLayoutEffect(() => {
    kept.current = target === undefined || target < 0 ? undefined : target
  }, [target])
  useLayoutEffect(() => {
    if (kept.current === undefined || box.current === null) return
    isAtEnd.current = false
    box.current.scrollTop = Math.max(0, (offsets[kept.current] ?? 0) - 40)
  })
  const release = (): void => {
    kept.current = undefined
  }

  const shownKeys = count === 0 ? '' : `${keyOf(start)} ${keyOf(Math.max(start, end - 1))}`
  useEffect(() => onWindow?.(start, end), [start, end, count, shownKeys])

  const follow = (): void => {
    const element = box.current
    if (element === null) return
    isAtEnd.current = sticksToEnd && element.scrollTop + element.clientHeight > element.scrollHeight - 60
    setView({ top: element.scrollTop, height: element.clientHeight })
  }
  return (
    <div
      ref={box}
      class={`virtual-list ${props.class ?? ''}`}
      onScroll={follow}
      onWheel={release}
      onPointerDown={release}
      onKeyDown={release}
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <div
        style={{ paddingTop: `${offsets[start] ?? 0}px`, paddingBottom: `${total - (offsets[end] ?? 0)}px` }}
      >
        {Array.from({ length: end - start }, (_, position) => {
          const key = keyOf(start + position)
          return (
            <Row key={key} name={key} observer={observer}>
              {render(start + position)}
            </Row>
          )
        })}
      </div>
    </div>
  )
}

interface RowProps {
  readonly name: string
  readonly observer: { readonly current: ResizeObserver | undefined }
  readonly children: ComponentChildren
}

function Row({ name, observer, children }: RowProps): VNode {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const row = element.current
    if (row === null) return undefined
    observer.current?.observe(row)
    return () => observer.current?.unobserve(row)
  }, [])
  return (
    <div class="virtual-row" ref={element} data-key={name}>
      {children}
    </div>
  )
}
