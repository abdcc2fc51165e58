/// <reference types="node" preserve="true" />
/** What touches files, processes or the network. */
export { createFilePageStore, type FilePageStoreOptions } from "./file-page-store.js";
export { createFileRunStore, type FileRunStoreOptions } from "./file-run-store.js";
export { loadPrompts } from "./load-prompts.js";
export { type CleanUp, cleanUpTempFiles, createTempFiles, type TempFilesOptions } from "./temp-files.js";
export { createUrlResolver, type UrlResolverOptions } from "./url-resolver.js";
