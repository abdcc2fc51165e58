import { BaseOutputParser, OutputParserException } from "@langchain/core/output_parsers";
import { describeIssues, extractJson, type StandardSchemaV1 } from "../../src/index.js";

/** The last link of a chain: `prompt.pipe(model).pipe(new RepairingParser(schema))`. */
export class RepairingParser<T> extends BaseOutputParser<T> {
  override lc_namespace = ["json-repair"];

  readonly schema: StandardSchemaV1<unknown, T>;

  constructor(schema: StandardSchemaV1<unknown, T>) {
    super();
    this.schema = schema;
  }

  async parse(text: string): Promise<T> {
    const result = extractJson(text, { schema: this.schema });
    if (result.ok) return result.value;
    throw new OutputParserException(describeIssues(result.error), text);
  }

  getFormatInstructions(): string {
    return "Answer with one JSON value.";
  }
}
