/** Old entries are taken out of the journal by one at a time: who comes meanwhile goes on where that one ended. */
export class Trimming {
  #running: Promise<number> = Promise.resolve(0)

  /** @param work resolves with the new base */
  run(work: () => Promise<number>): Promise<number> {
    // Who asked for the one before has heard of its failure.
    this.#running = this.#running.catch(() => 0).then(work)
    return this.#running
  }

  async isOver(): Promise<void> {
    // Who asked for it hears how it went.
    await this.#running.catch(() => {})
  }
}
