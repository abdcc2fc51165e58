import type { ResearchDeps } from "../deps.js";
import { ResearchError } from "../errors.js";
import type { ResearchEvent } from "../events.js";
import { isDocument } from "../evidence/urls.js";
import type { DocumentList, PageAccess, PageRecord, PageSession, ReadingScope } from "../page-reading.js";
import type { ReadingTools } from "../prompts/reading.js";
import type { RunnerCapabilities, RunRequest } from "../runner.js";

/** What the main runs of a research look things up and read with. */
export class RunTools {
  readonly #deps: ResearchDeps;
  readonly #capabilities: RunnerCapabilities;
  readonly #scope: ReadingScope;
  #session: PageSession | undefined;
  /** Of the next run. */
  #access: PageAccess | undefined;

  constructor(deps: ResearchDeps, capabilities: RunnerCapabilities, scope: ReadingScope) {
    this.#deps = deps;
    this.#capabilities = capabilities;
    this.#scope = scope;
  }

  /**
   * Opens the page tool for the main runs. Where it cannot be, the CLI's own serves, unless there are documents to read.
   *
   * @param kept Pages that an earlier research read: they are not fetched again. Default: none.
   */
  async *open(kept: readonly PageRecord[] = []): AsyncGenerator<ResearchEvent, void, void> {
    const { pages, pageStore } = this.#deps;
    const { files } = this.#scope;
    if (pages === undefined && files !== undefined) throw invalidFiles(NO_PAGES);
    if (pages === undefined || this.#session !== undefined) return;
    const { mcpServers, read } = this.#capabilities;
    if (!mcpServers.includes("endpoint")) {
      if (files !== undefined) throw invalidFiles(NO_SERVERS);
      const instead = read === undefined ? "No page is read" : `Pages are read by \`${read.tool}\` alone`;
      yield { type: "log", level: "warn", message: `${instead}: the runner takes no MCP servers.` };
      return;
    }
    try {
      this.#session = await pages.open(this.#scope);
      // Documents may be read where they are allowed now.
      const offered = kept.filter((page) => !isDocument(page.final_url));
      if (offered.length > 0 && pageStore !== undefined) {
        this.#session.offer?.({ records: offered, load: (hash) => pageStore.load(hash) });
      }
      this.#access = await this.#session.access();
      for (const message of this.#documents?.passedOver ?? []) {
        yield { type: "log", level: "warn", message: `Not read: ${message}.` };
      }
    } catch (error) {
      // It may come from another thread: its class is lost there, its code is not.
      const { code, message: reason } = error as { code?: unknown } & Error;
      if (files !== undefined) throw code === "INVALID_INPUT" ? invalidFiles(reason, error) : error;
      const message = `The page tool cannot be offered: ${error instanceof Error ? error.message : String(error)}`;
      yield { type: "log", level: "warn", message };
    }
  }

  /** How many documents of the person's own there are to read. `undefined`: none were given. */
  get documentCount(): number | undefined {
    return this.#documents?.count;
  }

  get #documents(): DocumentList | undefined {
    return this.#session?.documents;
  }

  /** What the main runs can read pages with. */
  get reading(): ReadingTools {
    const own = this.#session !== undefined;
    const documents = this.#documents;
    const { read } = this.#capabilities;
    const isAlone = read === undefined || (own && this.#deps.webFetch === false) || this.#scope.web === false;
    return {
      own,
      ...(!isAlone && { told: read.tool }),
      ...(documents !== undefined && { documents }),
      ...(this.#scope.web === false && { web: false }),
    };
  }

  /** What the next main run is given. */
  granted(): Pick<RunRequest, "mcpServers" | "tools"> {
    const { mcpServers } = this.#access ?? {};
    if (mcpServers === undefined) return {};
    if (this.#scope.web === false) return { mcpServers, tools: [] };
    const { search, read } = this.#capabilities;
    const withoutRead = read !== undefined && this.reading.told === undefined;
    return { mcpServers, ...(withoutRead && search !== undefined && { tools: [search.tool] }) };
  }

  /** The access of the run that begins; the next one gets another. */
  async takeAccess(): Promise<PageAccess | undefined> {
    const access = this.#access;
    this.#access = await this.#session?.access();
    return access;
  }

  /** The search tool, by its name in a prompt. */
  get searchTool(): string {
    return this.#scope.web === false ? "read_page" : (this.#capabilities.search?.tool ?? "");
  }

  /** Leaves no access to the page tool. */
  close(): void {
    this.#session?.close();
  }
}

const NO_PAGES =
  "Documents are read by the page tool, which is not used here. It must be among the dependencies (`pages`), and no setting may leave it out.";
const NO_SERVERS = "Documents are read by the page tool, and the runner takes no MCP servers.";

function invalidFiles(message: string, cause?: unknown): ResearchError {
  return new ResearchError("INVALID_INPUT", message, cause === undefined ? {} : { cause });
}
