/** A model on loopback for every host: it does what a plan says, and keeps what the host gave it for each call. */
import { createServer } from "node:http";
import { json as readJson } from "node:stream/consumers";
import { FORMATS } from "./wire-formats.mjs";

/** More turns than any plan needs: a host that goes in circles is ended. */
const MOST_TURNS = 80;
/** How often it looks for a tool that is not offered yet. Claude Code lets each look wait for 5 s. */
const MOST_LOOKS = 24;

/**
 * @typedef {{ tool: string, args: object }} Wanted A call of one of the server's tools.
 * @typedef {{ asked: Wanted[], told: string[] }} Talk The calls so far, and what the host gave for each.
 * @param {(talk: Talk) => Wanted | undefined} plan `undefined`: the model has what it wants.
 */
export async function startFakeModel(plan) {
  const conversation = new Conversation(plan);
  const server = createServer(async (request, response) => {
    const send = ({ type, text }, status = 200) => response.writeHead(status, { "content-type": type }).end(text);
    const json = (value) => send({ type: "application/json", text: JSON.stringify(value) });
    const body = await readJson(request).catch(() => ({}));
    const url = request.url ?? "";
    if (/count_?tokens/i.test(url)) return json({ input_tokens: 1, totalTokens: 1 });
    if (url.endsWith("/models")) return json({ object: "list", data: [{ id: "fake", object: "model" }] });
    const { format } = FORMATS.find(({ path }) => path.test(url)) ?? {};
    if (format === undefined) return send({ type: "application/json", text: "{}" }, 404);
    const read = format.read(body);
    // A host asks small things beside the conversation, without its tools.
    send(format.write(read.tools.length > 3 ? conversation.step(read) : { say: '{"next_speaker":"user"}' }, body));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    talk: conversation.talk,
    offered: conversation.offered,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The conversation that has the server's tools. */
class Conversation {
  talk = { asked: [], told: [] };
  /** The tools that the host gave the model. */
  offered = new Set();
  #plan;
  #seen = new Set();
  #turns = 0;
  #looks = 0;
  #waiting = false;

  constructor(plan) {
    this.#plan = plan;
  }

  /** What the model does next. */
  step({ tools, results }) {
    for (const { own } of tools) this.offered.add(own);
    for (const { id, text } of results) {
      if (this.#seen.has(id)) continue;
      this.#seen.add(id);
      if (this.#waiting) this.talk.told.push(text);
      this.#waiting = false;
    }
    this.#turns += 1;
    const wanted = this.#turns > MOST_TURNS ? undefined : this.#plan(this.talk);
    if (wanted === undefined) return { say: "END" };
    const tool = tools.find(({ own }) => own === wanted.tool);
    if (tool === undefined) return this.#look(wanted, tools);
    this.#ask(wanted);
    return { tool, args: wanted.args };
  }

  #ask(wanted) {
    this.talk.asked.push(wanted);
    this.#waiting = true;
  }

  /** Some hosts name tools only, and give them when they are searched for; some offer them a moment later. */
  #look({ tool: name, args }, tools) {
    const find = (pattern) => tools.find(({ own }) => pattern.test(own));
    const [search, bridge, shell] = [
      /^tool_?search$/i,
      /^tool_call$/,
      /^(?:exec_command|shell|bash|run_shell_command)$/i,
    ].map(find);
    this.#looks += 1;
    if (this.#looks > MOST_LOOKS) return { say: `END: there is no tool ${name}` };
    const [own, ofPlugin] = ["research", "plugin_x-research_research"].map((server) => `mcp__${server}__${name}`);
    if (bridge !== undefined && this.#looks > 1) {
      this.#ask({ tool: name, args });
      return { tool: bridge, args: { name: own, arguments: args } };
    }
    if (search !== undefined) return { tool: search, args: { query: `select:${own},${ofPlugin}`, max_results: 5 } };
    if (shell !== undefined) return { tool: shell, args: { cmd: "sleep 2", command: "sleep 2", description: "wait" } };
    return { say: `END: there is no tool ${name}` };
  }
}
