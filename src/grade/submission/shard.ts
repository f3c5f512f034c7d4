import { createHash } from "node:crypto";
import { PracticeError } from "../../messages/practice-error.ts";

export interface Shard {
  /** From 1. */
  index: number;
  count: number;
}

/**
 * Which part of the submissions this machine grades: `--shard I/N`, else what the job system says (Kubernetes Indexed
 * Jobs: JOB_COMPLETION_INDEX from 0, with K8S_PRACTICE_SHARDS as the count; GitLab: CI_NODE_INDEX from 1 and
 * CI_NODE_TOTAL). Undefined: all of them. Throws PracticeError (usage) on nonsense.
 */
export function readShard(
  option: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Shard | undefined {
  if (option !== undefined) {
    const match = /^(\d+)\/(\d+)$/.exec(option);
    return checked(Number(match?.[1]), Number(match?.[2]), option);
  }
  if (env.JOB_COMPLETION_INDEX !== undefined && env.K8S_PRACTICE_SHARDS !== undefined) {
    const text = `${env.JOB_COMPLETION_INDEX} of ${env.K8S_PRACTICE_SHARDS}`;
    return checked(Number(env.JOB_COMPLETION_INDEX) + 1, Number(env.K8S_PRACTICE_SHARDS), text);
  }
  if (env.CI_NODE_INDEX !== undefined && env.CI_NODE_TOTAL !== undefined) {
    return checked(Number(env.CI_NODE_INDEX), Number(env.CI_NODE_TOTAL), `${env.CI_NODE_INDEX}/${env.CI_NODE_TOTAL}`);
  }
  return undefined;
}

function checked(index: number, count: number, text: string): Shard {
  if (!Number.isInteger(index) || !Number.isInteger(count) || index < 1 || index > count) {
    throw new PracticeError("usage", "grade.bad-shard", { shard: text });
  }
  return { index, count };
}

/** Whether a submission belongs to a shard: by its name alone, so that every machine agrees without talking. */
export function inShard(submission: string, shard: Shard | undefined): boolean {
  if (shard === undefined) return true;
  return createHash("sha256").update(submission).digest().readUInt32BE(0) % shard.count === shard.index - 1;
}
