import { apiError } from "../api/api-error.ts";

/** A request's path, decoded, and its query. */
export interface RequestTarget {
  pathname: string;
  query: URLSearchParams;
}

/**
 * Splits a request line's target. Nothing is resolved: `..` and empty segments stay what they are, and an escaped
 * slash is a slash for all who look at the path, so that authorization and routing see the same.
 *
 * @throws ApiError 400 for a path that can't be decoded
 */
export function requestTarget(uri: string): RequestTarget {
  const path = uri.replace(/^[a-z]+:\/\/[^/?#]*/i, "").replace(/#.*$/, "");
  const mark = path.indexOf("?");
  const [raw, query] = mark < 0 ? [path, ""] : [path.slice(0, mark), path.slice(mark + 1)];
  try {
    return { pathname: decodeURIComponent(raw) || "/", query: new URLSearchParams(query) };
  } catch {
    throw apiError.badRequest(`invalid URL escape in path ${JSON.stringify(raw)}`);
  }
}
