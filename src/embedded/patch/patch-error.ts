/** A patch that can't be applied to the object as it is; the server answers 422. */
export class PatchError extends Error {
  override name = "PatchError";
}

/** A patch that is no patch at all; the server answers 400 with the message. */
export class MalformedPatchError extends Error {
  override name = "MalformedPatchError";
}
