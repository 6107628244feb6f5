import type { Worker } from 'node:worker_threads'
import type { Piscina } from 'piscina'

/*
 * Node aborts the whole process when a thread is ended while it links the module it runs (`Module::IsGraphAsync must be
 * used on an instantiated module`), be it by `terminate` or because the process exits. Who ends threads or the process
 * waits here first.
 */

type Threads = Pick<Piscina, 'threads' | 'on' | 'close'>

/** Every pool that has threads or may start some. */
const pools = new Set<Threads>()
const loaded = new WeakSet<Worker>()

/** Has whoever ends the process wait for the pool's threads. */
export function watchLoading(pool: Threads): void {
  pools.add(pool)
  // The threads a pool begins with are announced before they have loaded; others when they have.
  const first = new Set(pool.threads)
  for (const worker of first) worker.once('message', () => loaded.add(worker))
  pool.on('workerCreate', ({ id }: { id: number }) => {
    const worker = pool.threads.find(({ threadId }) => threadId === id)
    if (worker && !first.has(worker)) loaded.add(worker)
  })
}

/** Lets the pool's running tasks finish, then ends its threads. */
export async function endThreads(pool: Threads): Promise<void> {
  await threadsLoaded([pool])
  await pool.close()
  pools.delete(pool)
}

/** Resolves once no thread is loading its module: each has, or has failed to. */
export async function threadsLoaded(some: Iterable<Threads> = pools): Promise<void> {
  const loading = [...some].flatMap(({ threads }) => threads).filter((worker) => !loaded.has(worker))
  if (loading.length === 0) return
  await Promise.all(loading.map(loadedOrGone))
  // One that died was replaced.
  await threadsLoaded(some)
}

async function loadedOrGone(worker: Worker): Promise<void> {
  // Nothing else may keep the process alive meanwhile.
  worker.ref()
  // One that fails exits, too.
  await new Promise<void>((resolve) => {
    for (const event of ['message', 'exit']) worker.once(event, () => resolve())
  })
  worker.unref()
}
