import type { ToolCall } from "../cli/guard-notes.js";
import { notFound } from "../cli/refusals.js";
import type { UnrecordedCall } from "../cli/session-file.js";
import { type StreamLine, toolTarget } from "../cli/stream-json.js";

type ToolResult = Extract<StreamLine, { type: "tool-result" }>;

/**
 * The calls of a run's tools, in the form of a run with a process of its own. The protocol says when one begins and ends, the guard
 * which it was. Of a call that is denied the protocol tells only the end; of one of a tool that is not there, nothing.
 */
export class PooledCalls {
  /** Never begun, as far as is known, and neither told nor recorded by the CLI. */
  readonly unrecorded: UnrecordedCall[] = [];
  /** What the model wants in this turn and nothing was said of yet, in order. */
  #wanted: ToolCall[] = [];
  /** Of them those before this one were said something of. */
  #at = 0;
  readonly #open = new Set<string>();
  #ended = 0;

  want(call: ToolCall): void {
    this.#wanted.push(call);
  }

  begin(id: string): StreamLine[] {
    // Calls are made in order: one before it that nothing was said of will not be made any more.
    const passed = this.#upTo(this.#find(id));
    const call = passed.pop() ?? { tool: "", parameters: {} };
    this.#open.add(id);
    return [...this.#refuse(passed), toldOf(id, call)];
  }

  /** Where the call of that name is. A CLI that gives names of another form means the next one. */
  #find(id: string): number {
    for (let at = this.#at; at < this.#wanted.length; at++) {
      const call = this.#wanted[at];
      if (call !== undefined && isNamedBy(id, call)) return at;
    }
    return this.#at;
  }

  #upTo(last: number): ToolCall[] {
    const taken = this.#wanted.slice(this.#at, last + 1);
    this.#at += taken.length;
    return taken;
  }

  end(result: ToolResult): StreamLine[] {
    const begun = this.#open.has(result.id) ? [] : this.begin(result.id);
    this.#open.delete(result.id);
    this.#ended++;
    return [...begun, result];
  }

  /** The model is asked again. `ended`: its turn before came to an end; what it wanted in one that broke off is not done. */
  next(ended: boolean): StreamLine[] {
    const left = this.#upTo(this.#wanted.length);
    this.#wanted = [];
    this.#at = 0;
    return ended ? this.#refuse(left) : [];
  }

  #refuse(calls: readonly ToolCall[]): StreamLine[] {
    return calls.flatMap((call): StreamLine[] => {
      const message = notFound(call.tool);
      this.unrecorded.push({ ...call, message, after: this.#ended });
      const id = call.id ?? `refused_${this.unrecorded.length}`;
      return [toldOf(id, call), { type: "tool-result", id, ok: false, message }];
    });
  }
}

function toldOf(id: string, { tool, parameters }: ToolCall): StreamLine {
  return { type: "tool-call", event: { type: "tool-call", id, tool, ...toolTarget(tool, parameters) } };
}

/** Whether the CLI names the call so: by the API's id, else by the tool and the time; newer ones put the tool before either. */
function isNamedBy(id: string, call: ToolCall): boolean {
  const prefix = `${call.tool}__`;
  const own = id.startsWith(prefix) ? id.slice(prefix.length) : id;
  if (call.id !== undefined) return call.id === own || call.id === id;
  return own.startsWith(call.tool) ? /^(?:[-_]\d+){1,2}$/.test(own.slice(call.tool.length)) : own.startsWith("synth_");
}
