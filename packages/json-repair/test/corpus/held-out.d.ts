export interface Case {
  id: string;
  category: string;
  input: string;
  expect: unknown;
  schemaHint?: "search" | "deep_search" | "rows";
}

declare const cases: Case[];
export default cases;
