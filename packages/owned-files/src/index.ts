export { type MakeFolderOptions, makeFolder } from "./make-folder.js";
export { isGone, ownProcess, type ProcessIdentity } from "./process-identity.js";
export { readText, withFile } from "./read-text.js";
export { type FolderRisk, folderRisks, unsafeFolder } from "./unsafe-folder.js";
