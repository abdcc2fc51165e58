/** A worker's program that does what the test asks for, in the way of the real one. */
import { parentPort } from "node:worker_threads";

const post = (message) => parentPort.postMessage(message);
let aborted = () => {};

const TASKS = {
  echo: (input) => input,
  grow: () => {},
  /** Is given no processor for so long. */
  starve(ms) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  },
  forever() {
    for (;;);
  },
  memory() {
    const lists = [];
    for (;;) lists.push(new Array(1_000_000).fill(lists));
  },
  throw() {
    throw new Error("it threw");
  },
};

/** Researches: each is told by its query. */
const RESEARCHES = {
  /** Has the main thread run the CLI, and gives its text. */
  run: () => post({ type: "call", call: 1, wanted: { name: "run", request: { prompt: "why" } } }),
  /** Has it run the CLI again and again. */
  twice: () => post({ type: "call", call: 2, wanted: { name: "run", request: { prompt: "why" } } }),
  /** Leaves a file and a run behind, and hangs. */
  hang() {
    post({ type: "call", call: 3, wanted: { name: "write-file", text: "text" } });
    post({ type: "call", call: 4, wanted: { name: "run", request: { prompt: "why" } } });
    setTimeout(() => TASKS.forever(), 50);
  },
  /** Has the main thread open the page tool, and tells it of a call. */
  reads() {
    post({ type: "call", call: 5, wanted: { name: "page-access" } });
  },
  /** Ends when it is told to. */
  wait() {
    aborted = () => post({ type: "failed", error: { name: "E", message: "stopped", fields: { code: "CANCELLED" } } });
    post({ type: "event", event: { type: "round-start", round: 1, of: 1 } });
  },
};

parentPort.on("message", (message) => {
  if (message.type === "ping") post({ type: "pong" });
  if (message.type === "abort") aborted();
  if (message.type === "run-event") post({ type: "event", event: { type: "step", round: 1, step: message.event } });
  if (message.type === "called" && message.call === 1) post({ type: "done", value: { report: message.value?.text } });
  if (message.type === "called" && message.call === 5) {
    const wanted = { name: "page-called", access: message.value.access, tool: "read_page", urls: ["https://a.org/"] };
    post({ type: "call", call: 1, wanted });
  }
  if (message.type === "called" && message.call === 2) RESEARCHES.twice();
  if (message.type === "call-failed") post({ type: "failed", error: message.error });
  if (message.type === "research") RESEARCHES[message.request.query]();
  if (message.type === "task") {
    const heapBytes = message.name === "grow" ? 2 ** 30 : 2 ** 20;
    post({ type: "done", value: TASKS[message.name](message.input), heapBytes });
  }
});
