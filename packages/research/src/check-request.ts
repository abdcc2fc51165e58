import { type AnyRequest, checkFields, invalid } from "./check-fields.js";
import { type Shape, shapeOf } from "./shape/shape.js";

/**
 * Throws `INVALID_INPUT` when a field of the request is wrong; the message names the field and says what was expected.
 * Every research checks its request first: call this only to know earlier. One of `query`, `topic` (`deepResearch`) and
 * `resume` must be there. With `kind` it says what only a search, or only a deep search, refuses.
 */
export function checkRequest(request: AnyRequest): void {
  checkFields(request);
  if (request.outputSchema !== undefined) checkOutputSchema(request.outputSchema);
}

/** Gives the shape that a request asks for. Throws `INVALID_INPUT` that names what is wrong with its schema. */
export function checkOutputSchema(outputSchema: unknown): Shape {
  const shape = shapeOf(outputSchema);
  if ("fault" in shape) throw invalid(`Not a JSON Schema that can be used: ${shape.fault}.`);
  return shape;
}
