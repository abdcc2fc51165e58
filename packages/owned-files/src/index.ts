export { fileProblem, readProblem } from "./file-problem.js";
export { fileRisk } from "./file-risk.js";
export { type MakeFolderOptions, makeFolder } from "./make-folder.js";
export { isGone, ownProcess, type ProcessIdentity } from "./process-identity.js";
export { type ReadLimits, readText, readTextNow, withFile } from "./read-text.js";
export { type FolderRisk, folderRisks, unsafeFolder } from "./unsafe-folder.js";
