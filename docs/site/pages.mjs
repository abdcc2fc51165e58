// The pages of the site, in the order of its sidebar. Most stand in the repository anyway: a page is a file, or one section of a
// file, so that nothing is said twice.

const SERVER = "packages/mcp-server/README.md";

export const GROUPS = [
  {
    title: "Start",
    pages: [
      {
        path: "index",
        title: "What it is",
        from: "README.md",
        about: "what the packages do, how to try them, and the configuration of each client",
      },
      {
        path: "getting-started",
        title: "Getting started",
        from: "docs/getting-started.md",
        about: "from nothing to the first answer, in four steps",
      },
      {
        path: "clients",
        title: "Clients",
        from: "docs/clients.md",
        about: "the configuration of every MCP client, by one command and by hand, and long calls",
      },
      {
        path: "plugin",
        title: "Plugin",
        from: "plugins/x-research/README.md",
        about: "server and skill as a plugin of Claude Code, Codex, Copilot CLI, Gemini CLI and Qwen Code",
      },
      { path: "windows", title: "Windows", from: "docs/windows.md", about: "what is different there" },
      {
        path: "tenants",
        title: "Many users",
        from: "docs/tenants.md",
        about: "one server for a team: tokens, OAuth 2.1, limits, and what nobody learns of another",
      },
      {
        path: "scaling",
        title: "Many machines",
        from: "docs/scaling.md",
        about: "fronts and workers on Redis or PostgreSQL: what holds, what stops the start, how much it carries",
      },
    ],
  },
  {
    title: "Use",
    pages: [
      {
        path: "tools",
        title: "Tools",
        from: SERVER,
        section: "Tools",
        about: "the tools, their arguments and answers, waiting, pages and failures",
      },
      {
        path: "terminal",
        title: "Terminal",
        from: SERVER,
        section: "In the terminal",
        about: "the same program for people: commands, output, exit codes",
      },
      {
        path: "web",
        title: "In the browser",
        from: "docs/web.md",
        about: "all researches as pages on this machine: find, follow, read, ask, delete",
      },
      {
        path: "documents",
        title: "Your own documents",
        from: "docs/documents.md",
        about: "files and folders as sources: which are read, how they are proven, what leaves the machine",
      },
      {
        path: "settings",
        title: "Settings",
        from: SERVER,
        section: "Environment",
        about: "every environment variable",
      },
      {
        path: "evidence",
        title: "Evidence",
        from: "docs/evidence.md",
        about: "what each word of a proof means, what is not proven, and how it is checked again",
      },
      {
        path: "troubleshooting",
        title: "Troubleshooting",
        from: "docs/troubleshooting.md",
        about: "every error code and reason: what it means and what to do",
      },
    ],
  },
  {
    title: "Libraries",
    pages: [
      {
        path: "libraries/research",
        title: "@x/research",
        from: "packages/research/README.md",
        about: "search and deep search for programs",
      },
      {
        path: "libraries/gemini-runner",
        title: "@x/gemini-runner",
        from: "packages/gemini-runner/README.md",
        about: "Gemini CLI as a library: events, results, errors",
      },
      {
        path: "libraries/json-repair",
        title: "@x/json-repair",
        from: "packages/json-repair/README.md",
        about: "from a language model's words to a checked value",
      },
      { path: "libraries/server", title: "@x/mcp-server", from: SERVER, about: "the server's own README" },
    ],
  },
  {
    title: "What was tried",
    pages: [
      {
        path: "compatibility",
        title: "Compatibility",
        from: "docs/compatibility.md",
        about: "versions of Node.js and of Gemini CLI, measured",
      },
      {
        path: "hosts",
        title: "Hosts",
        from: "docs/hosts.md",
        about: "what seven real MCP clients gave their models: answers, time-outs, errors, long reports",
      },
      {
        path: "security",
        title: "Security",
        from: "SECURITY.md",
        about: "how to report a problem, what is promised and how it is tested",
      },
    ],
  },
  {
    title: "For those who work on it",
    pages: [
      {
        path: "architecture",
        title: "Architecture",
        from: "ARCHITECTURE.md",
        about: "the packages, the way of one question, where to change what",
      },
      { path: "contributing", title: "Contributing", from: "CONTRIBUTING.md", about: "how a change and a release go" },
      { path: "benchmarks", title: "Benchmarks", from: "docs/benchmarks.md", about: "every number, beside its peers" },
      { path: "reliability", title: "Reliability", from: "docs/reliability.md", about: "every tool with every fault" },
      { path: "siege", title: "Siege", from: "docs/siege.md", about: "one server under load and abuse over HTTP" },
      {
        path: "reliability-pool",
        title: "Reliability of runs that share a process",
        from: "docs/reliability-pool.md",
        about: "the same over HTTP",
      },
      {
        path: "scenarios",
        title: "Scenarios",
        from: "docs/spec-coverage.md",
        about: "every scenario and the tests that show it",
      },
    ],
  },
];

export const PAGES = GROUPS.flatMap(({ pages }) => pages);

/** The entries of the libraries that programs import; each has pages of its declarations under `api/`. */
export const ENTRIES = [
  { package: "research", entry: "src/index.ts", title: "@x/research" },
  { package: "research", entry: "src/node/index.ts", title: "@x/research/node" },
  { package: "gemini-runner", entry: "src/index.ts", title: "@x/gemini-runner" },
  { package: "gemini-runner", entry: "src/testing/index.ts", title: "@x/gemini-runner/testing" },
  { package: "json-repair", entry: "src/index.ts", title: "@x/json-repair" },
];
