/** A set of environment variables, as `process.env` is one. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What a program, Node, a proxy, a certificate store, a keychain and Google's libraries need. `GEMINI_MODEL` is not among
 * it: the model of a run is named on the command line alone, so that a run can also be without one.
 */
const PASSED = new Set([
  ...["PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "HOSTNAME"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy"],
  ...["NODE_EXTRA_CA_CERTS", "NODE_USE_SYSTEM_CA", "NODE_USE_ENV_PROXY", "NODE_TLS_REJECT_UNAUTHORIZED"],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR"],
  ...["XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "DBUS_SESSION_BUS_ADDRESS"],
  ...["SYSTEMROOT", "WINDIR", "SYSTEMDRIVE", "COMSPEC", "PATHEXT", "USERPROFILE", "HOMEDRIVE", "HOMEPATH"],
  ...["USERNAME", "USERDOMAIN", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)"],
  ...["PROCESSOR_ARCHITECTURE", "NUMBER_OF_PROCESSORS", "OS"],
  ...["GEMINI_API_KEY", "GEMINI_API_KEY_AUTH_MECHANISM", "GEMINI_CLI_CUSTOM_HEADERS"],
  ...["GEMINI_DEFAULT_AUTH_TYPE", "CLOUD_RUN_JOB", "K_SERVICE", "FUNCTION_NAME"],
  ...["GEMINI_CLI_USE_COMPUTE_ADC", "GEMINI_CLI_SURFACE", "GEMINI_CLI_SYSTEM_SETTINGS_PATH"],
  ...["GEMINI_CLI_SYSTEM_DEFAULTS_PATH", "GEMINI_FORCE_FILE_STORAGE", "GEMINI_FORCE_ENCRYPTED_FILE_STORAGE"],
  ...["CODE_ASSIST_ENDPOINT", "CODE_ASSIST_API_VERSION", "CLOUD_SHELL", "GCLOUD_PROJECT", "METADATA_SERVER_DETECTION"],
]);
const PASSED_PREFIXES = ["GOOGLE_", "CLOUDSDK_", "GCE_METADATA_", "LC_"];

/**
 * What the CLI may see of the caller's environment. `wanted` are further names, those that the settings of an MCP
 * server refer to. Windows compares names without regard to case.
 */
export function passedEnvironment(
  env: Environment,
  wanted: readonly string[] = [],
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    const key = platform === "win32" ? name.toUpperCase() : name;
    if (value === undefined) continue;
    if (PASSED.has(key) || wanted.includes(name) || PASSED_PREFIXES.some((prefix) => key.startsWith(prefix))) {
      passed[name] = value;
    }
  }
  return passed;
}

/** The variables that a text refers to as `$NAME`, `${NAME}` or `${NAME:-default}`, the way the CLI expands its settings. */
export function variablesIn(text: string): string[] {
  return [...text.matchAll(/\$\{?(\w+)/g)].map(([, name = ""]) => name);
}
