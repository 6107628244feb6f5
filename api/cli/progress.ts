import { Presets, SingleBar } from 'cli-progress'

export interface Progress {
  to(done: number, total: number): void
  end(): void
}

/** A bar on a terminal; nothing where the output goes to a file or a pipe. */
export function progressBar(what: string): Progress {
  if (!process.stderr.isTTY) return { to: () => undefined, end: () => undefined }
  const bar = new SingleBar(
    { format: `${what} {bar} {percentage}% {value}/{total} {eta_formatted}`, hideCursor: true, stream: process.stderr },
    Presets.shades_classic,
  )
  let started = false
  return {
    to: (done, total) => {
      if (!started) bar.start(total, done)
      else bar.update(done)
      started = true
    },
    end: () => {
      if (started) bar.stop()
    },
  }
}
