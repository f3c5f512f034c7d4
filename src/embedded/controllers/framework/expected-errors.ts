import { ApiError } from "../../api/api-error.ts";

/**
 * Runs a call to the API and takes these answers for what they are: someone else was quicker (404, 409 on create).
 * @returns the call's result, or undefined when it was answered so
 * @throws {ApiError} any other answer
 */
export function unless<T>(reasons: readonly string[], call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if (error instanceof ApiError && reasons.includes(error.reason)) return undefined;
    throw error;
  }
}
