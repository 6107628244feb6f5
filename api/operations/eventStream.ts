/** Server-sent events to one client. */
export interface EventStream {
  /** Sends the headers; from here on nothing can be refused any more. */
  open(): void
  readonly isOpen: boolean
  /** Resolves when the client can take more. Nothing is held back for one that reads slowly: its sender waits. */
  send(id: string, data: string): Promise<void>
  onClose(done: () => void): void
}
