export { type ExtractOptions, type ExtractResult, extractJson } from "./extract.js";
