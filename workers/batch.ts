import { threadId } from 'node:worker_threads'
import { move, transferableSymbol, valueSymbol } from 'piscina'
import type { CompileBasis, CompileJob } from '../compiler/core/compile.js'
import { CompileFailed, compile } from '../compiler/core/compile.js'
import { FileMissing } from '../compiler/core/defineFile.js'
import { sha256, split } from '../compiler/core/fileBody.js'
import type { Registry } from '../compiler/core/registry.js'
import { Replica } from './replica.js'
import type { Outcome, PackedOutcomes } from './results.js'
import { pack } from './results.js'
import type { LogPosition } from './sharedLog.js'

/** Names what to compile and the data to compile it from; carries neither. */
export interface Task {
  readonly position: LogPosition
  readonly jobs: readonly CompileJob[]
  /** Whether each outcome tells which questions its view asked. */
  readonly explain: boolean
  /** Where the thread says its id when it begins. */
  readonly thread: Int32Array
}

export interface TaskResult extends PackedOutcomes {
  /** Time the thread spent on the task, catching up included. */
  readonly milliseconds: number
}

/**
 * What a compiling thread does with a task: catch up, then compile job after job. The data it holds between tasks is
 * the one piece of state in a thread. A thread whose data cannot be trusted any more drops it and starts over from
 * the base, like a new one.
 */
export function batchCompiler(
  registry: Registry,
  { unseal, partBytes, serviceUrl }: Pick<CompileBasis, 'serviceUrl' | 'unseal'> & { partBytes: number },
): (task: Task) => TaskResult {
  let held: Replica | null = null
  return ({ position, jobs, explain, thread }) => {
    Atomics.store(thread, 0, threadId)
    const start = performance.now()
    try {
      if (held?.generation !== position.generation) held = new Replica(position, partBytes)
      held.catchUp(position)
    } catch (error) {
      held = null
      throw error
    }
    const { workingSet, templates, fragments } = held
    const basis = { workingSet, templates, fragments, registry, serviceUrl, unseal }
    const outcomes = jobs.map((job) => outcomeOf(job, basis, explain))
    return handedOver({ ...pack(outcomes), milliseconds: performance.now() - start })
  }
}

/** The result with its bytes changing hands instead of being copied; the pool takes the wrapping off. */
function handedOver(result: TaskResult): TaskResult {
  const transferable = { [transferableSymbol]: [result.bytes.buffer], [valueSymbol]: result }
  // What arrives is the value within: the other thread never sees the wrapping.
  return move(transferable) as unknown as TaskResult
}

function outcomeOf(job: CompileJob, basis: CompileBasis, explain: boolean): Outcome {
  const start = performance.now()
  try {
    const { text, contentType, warnings, readSet, templates, questions } = compile(job, basis, { explain })
    const bytes = Buffer.from(text)
    const subject = basis.workingSet.get(job.scope, job.subjectId)
    const body = split(bytes, subject && 'hostName' in subject ? String(subject.hostName) : '')
    return {
      state: 'compiled',
      revision: basis.workingSet.revision,
      // A body without holes is the text.
      etag: body.holes.length === 0 ? body.hash : sha256(bytes),
      body,
      contentType,
      warnings,
      readSet,
      templates,
      fingerprint: basis.templates.fingerprint(templates),
      milliseconds: performance.now() - start,
      questions,
    }
  } catch (error) {
    if (error instanceof FileMissing) return { state: 'missing', text: error.message }
    if (error instanceof CompileFailed) return { state: 'failed', fault: error.fault }
    throw error
  }
}
