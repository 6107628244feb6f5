import { Piscina } from 'piscina'
import { endThreads, watchLoading } from './loading.js'
import { threadModule } from './threadModule.js'

/**
 * Does one task in a thread of its own, which ends with it: work that takes seconds, and much memory for as long.
 *
 * @param given.module exports a function `name` that takes the task; from the top, without its ending
 */
export async function doAside<Task, Result>(given: { module: string; name: string; task: Task }): Promise<Result> {
  const { module, name, task } = given
  const thread = new Piscina<Task, Result>({
    filename: threadModule(module).href,
    name,
    minThreads: 1,
    maxThreads: 1,
    env: {},
  })
  watchLoading(thread)
  try {
    return await thread.run(task)
  } finally {
    await endThreads(thread)
  }
}
