// Asks Python's json_repair, where `python3` can import it (`PYTHONPATH` names the folder of its sources).
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

const PROGRAM = `
import json, sys
import json_repair
print("ready", flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    try:
        more = {"schema": asked["schema"]} if asked["schema"] else {}
        value = json_repair.loads(asked["text"], **more)
        answer = json.dumps({"ok": value != "" and value is not None, "value": value})
    except BaseException:
        answer = json.dumps({"ok": False})
    print(answer, flush=True)
`;

/** `(text, standard schema, JSON Schema) => value`. Rejects where it cannot be imported. */
export async function askPython() {
  const python = spawn("python3", ["-c", PROGRAM], { stdio: ["pipe", "pipe", "ignore"] });
  const lines = createInterface({ input: python.stdout })[Symbol.asyncIterator]();
  python.unref();
  const ready = await Promise.race([lines.next(), once(python, "error").then(() => ({ done: true }))]);
  if (ready.done) throw new Error("json_repair of Python is not there");
  return async (text, _, schema) => {
    python.stdin.write(`${JSON.stringify({ text, schema: schema ?? null })}\n`);
    const { value: line } = await lines.next();
    const { ok, value } = JSON.parse(line);
    if (!ok) throw new Error("refused");
    return value;
  };
}
