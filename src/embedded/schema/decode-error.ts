/** A body that does not fit its type; the message is encoding/json's, without what the caller puts before it. */
export class DecodeError extends Error {
  override name = "DecodeError";
}
