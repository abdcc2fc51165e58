// Links that install the server with one click.
import { PACKAGE, SERVER_NAME } from "./source.mjs";

const command = { command: "npx", args: ["-y", PACKAGE.name] };
const cursor = `name=${SERVER_NAME}&config=${encodeURIComponent(btoa(JSON.stringify(command)))}`;
const code = `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: SERVER_NAME, ...command }))}`;

export const BUTTONS = [
  `[![Add to Cursor](https://cursor.com/deeplink/mcp-install-dark.svg)](https://cursor.com/en/install-mcp?${cursor})`,
  `[![Install in VS Code](https://img.shields.io/badge/VS_Code-Install-0098FF)](https://vscode.dev/redirect?url=${encodeURIComponent(code)})`,
].join(" ");
