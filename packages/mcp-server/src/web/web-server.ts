import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { listening } from "../host/listening.js";
import type { Log } from "../host/log.js";
import { earlierJob, whyNotAskedOn } from "../jobs/earlier-job.js";
import { toFailure } from "../jobs/failure.js";
import type { JobHead, JobRecord, JobRequest, Report } from "../jobs/job-record.js";
import type { Jobs } from "../jobs/jobs.js";
import { threadOf } from "../jobs/thread.js";
import { reportPage, threadPage } from "../report/html/page.js";
import { readableReport } from "../report/readable.js";
import { EventStreams } from "./event-streams.js";
import { readForm } from "./form.js";
import { Guard } from "./guard.js";
import { HOME_LINK, PAGE_POLICY } from "./layout.js";
import { filterOf, listHtml, listPage } from "./list-page.js";
import { deletePage, pathOf, problemPage, progressHtml, researchPage, timeOf } from "./research-page.js";

export interface WebOptions {
  jobs: Jobs;
  /** Deletes what else is kept of a research. */
  forget: (id: string) => Promise<void>;
  /** Names this program and its version. */
  generator: string;
  /** 0: any that is free. */
  port?: number;
  log: Log;
}

const HEADERS = {
  "content-security-policy": PAGE_POLICY,
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  // Not `no-referrer`: a browser would then not say where a form comes from.
  "referrer-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
} as const;

/** The researches of one person as pages, on loopback, for one browser. */
export class WebServer {
  readonly #options: WebOptions;
  readonly #server: Server;
  readonly #streams = new EventStreams();
  #guard = new Guard(0);

  constructor(options: WebOptions) {
    this.#options = options;
    this.#server = createServer(
      { requestTimeout: 30_000 },
      (request, response) => void this.#answer(request, response),
    );
  }

  /** Gives the address that lets one browser in. Rejects with a message that says what to do. */
  async listen(): Promise<string> {
    const { port: wanted = 0, log } = this.#options;
    const setBy = { host: "it is always this one", port: "--port" };
    await listening(this.#server, { host: "127.0.0.1", port: wanted, setBy, log });
    const { port } = this.#server.address() as AddressInfo;
    this.#guard = new Guard(port);
    return `http://127.0.0.1:${port}/?token=${this.#guard.token}`;
  }

  async close(): Promise<void> {
    this.#streams.close();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    try {
      const url = new URL(request.url ?? "/", "http://127.0.0.1");
      if (!this.#guard.isHere(request))
        return send(response, 403, problemPage("Not here", "This name is not that of the page."));
      const cookie = this.#guard.admit(url.searchParams.get("token") ?? "");
      if (cookie !== undefined) return redirect(response, "/", { "set-cookie": cookie });
      if (!this.#guard.isKnown(request)) return send(response, 403, LOCKED);
      if (request.method === "GET") await this.#show(url, response);
      else if (request.method === "POST") await this.#change(url, request, response);
      else send(response, 405, problemPage("Not possible", "Pages are asked for by GET, and changed by POST."));
    } catch (error) {
      const { message, details } = toFailure(error);
      if (response.headersSent) response.destroy();
      else send(response, 500, problemPage("That failed", [message, details].filter(Boolean).join(" ")));
    }
  }

  async #show(url: URL, response: ServerResponse): Promise<void> {
    const { jobs } = this.#options;
    const { secret } = this.#guard;
    if (url.pathname === "/") {
      const heads = await jobs.list(Number.POSITIVE_INFINITY);
      const earlier = heads.find((head) => head.id === url.searchParams.get("follow"));
      return send(response, 200, listPage(heads, filterOf(url.searchParams), { secret, earlier }));
    }
    if (url.pathname === "/events") return this.#follow(url.searchParams, response);
    const [id, what] = partsOf(url);
    const record = id === undefined ? undefined : await jobs.look(id);
    if (id === undefined || !["", "delete", "thread"].includes(what)) return send(response, 404, NOWHERE);
    if (record === undefined) return send(response, 404, UNKNOWN);
    if (what === "delete") return send(response, 200, deletePage(record, secret));
    if (record.report === undefined) return send(response, 200, researchPage(record, secret));
    const thread = threadOf(record.id, await jobs.list(Number.POSITIVE_INFINITY));
    if (what === "thread") return send(response, 200, await this.#thread(thread));
    send(response, 200, this.#report(record, record.report, thread.length > 1));
  }

  #report(record: JobRecord, report: Report, isInThread: boolean): string {
    const { id } = record;
    const links = [
      HOME_LINK,
      ...(whyNotAskedOn(record) === undefined ? [`<a href="/?follow=${encodeURIComponent(id)}">Ask on</a>`] : []),
      ...(isInThread ? [`<a href="${pathOf(id)}/thread">With what it follows</a>`] : []),
      `<a href="${pathOf(id)}/delete">Delete</a>`,
    ];
    return reportPage(readableReport(report), { generator: this.#options.generator, links: links.join(" · ") });
  }

  /** The reports of researches that follow each other. */
  async #thread(heads: readonly JobHead[]): Promise<string> {
    const records = await Promise.all(heads.map(({ id }) => this.#options.jobs.look(id)));
    const reports = records.flatMap((record) => (record?.report === undefined ? [] : readableReport(record.report)));
    return threadPage(reports, { generator: this.#options.generator, links: HOME_LINK });
  }

  /** Tells of changes to the list, or to one research until it has ended. */
  #follow(parameters: URLSearchParams, response: ServerResponse): void {
    const { jobs } = this.#options;
    const of = parameters.get("of");
    const look = async () => {
      if (of === null) {
        return {
          html: listHtml(await jobs.list(Number.POSITIVE_INFINITY), filterOf(parameters), Date.now()),
          isOver: false,
        };
      }
      const record = await jobs.look(of);
      if (record === undefined) return { html: "", isOver: true };
      return { html: progressHtml(record), time: timeOf(record), isOver: record.state !== "running" };
    };
    this.#streams.add(response, { look, endsWhenOver: of !== null });
  }

  async #change(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { jobs, forget } = this.#options;
    const form = await readForm(request);
    if (form === undefined || !this.#guard.isOurs(request, form)) {
      return send(
        response,
        403,
        problemPage("Not done", "This did not come from a page of ours. Open the page again and repeat it."),
      );
    }
    if (url.pathname === "/start") return this.#start(form, response);
    const [id, what] = partsOf(url);
    const record = id === undefined ? undefined : await jobs.look(id);
    if (id === undefined) return send(response, 404, NOWHERE);
    if (record === undefined) return send(response, 404, UNKNOWN);
    if (what === "cancel") await jobs.cancel(record.id);
    else if (what === "resume") await jobs.resume(record.id);
    else if (what === "delete") {
      // As the page has asked.
      if (record.state === "running") await jobs.cancel(record.id);
      if ((await jobs.remove(record.id)) === "running") {
        return send(response, 409, problemPage("It runs again", "Somebody has begun it again meanwhile."));
      }
      await forget(record.id);
      return redirect(response, "/");
    } else return send(response, 404, NOWHERE);
    redirect(response, pathOf(record.id));
  }

  async #start(form: URLSearchParams, response: ServerResponse): Promise<void> {
    const { jobs } = this.#options;
    const tool = form.get("tool") === "deep_search" ? "deep_search" : "search";
    const follow = form.get("follow") ?? "";
    const refuse = async (status: number, problem: string) => {
      const heads = await jobs.list(Number.POSITIVE_INFINITY);
      const earlier = heads.find(({ id }) => id === follow);
      const parts = { secret: this.#guard.secret, problem, earlier, given: form };
      send(response, status, listPage(heads, filterOf(new URLSearchParams()), parts));
    };
    try {
      const found = follow === "" ? undefined : await earlierJob(jobs, follow);
      if (follow !== "" && found === undefined) return await refuse(404, GONE);
      const { job } = await jobs.start(tool, { ...requestOf(form), ...(found && { followUpOf: found.earlier }) });
      redirect(response, pathOf(job.record.id));
    } catch (error) {
      await refuse(400, toFailure(error).message);
    }
  }
}

const LOCKED = problemPage(
  "This page is closed",
  "Its address opens once, in one browser. Start the command again: it gives a new one.",
);
const UNKNOWN = problemPage("There is no such research", "It may have been deleted.");
const NOWHERE = problemPage("There is no such page", "Its address leads nowhere. The list has all that there is.");
const GONE = "The research to ask on from is not there any more. It may have been deleted: ask a new question.";

/** What a form asks. */
function requestOf(form: URLSearchParams): JobRequest {
  const recency = form.get("recency") ?? "";
  return { query: (form.get("query") ?? "").trim(), ...(recency !== "" && { filters: { recency } }) };
}

/** `/research/{id}` and what follows it. */
function partsOf({ pathname }: URL): [id: string | undefined, what: string] {
  const [, id, what = ""] = /^\/research\/([\w-]{1,100})(?:\/([a-z]+))?$/.exec(pathname) ?? [];
  return [id, what];
}

function send(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, { "content-type": "text/html; charset=utf-8" }).end(html);
}

function redirect(response: ServerResponse, location: string, headers: Record<string, string> = {}): void {
  response.writeHead(303, { location, ...headers }).end();
}
