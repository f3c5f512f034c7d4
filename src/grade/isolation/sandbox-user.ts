/**
 * The user id that a root grader gives a sandbox, a different one for each that runs at the same time: the kernel
 * counts processes by user (RLIMIT_NPROC) and does not limit root. The range is the one systemd keeps for dynamic
 * users, which no package and no person has.
 */
export class SandboxUsers {
  private static readonly first = 61184;
  private static readonly last = 65519;
  private readonly taken = new Set<number>();

  /** Undefined when this process is not root: then the sandbox keeps our own user. */
  take(): number | undefined {
    if (process.getuid?.() !== 0) return undefined;
    for (let uid = SandboxUsers.first + (process.pid % 4000); uid <= SandboxUsers.last; uid += 1) {
      if (this.taken.has(uid)) continue;
      this.taken.add(uid);
      return uid;
    }
    throw new Error("no free user id for a sandbox");
  }

  release(uid: number | undefined): void {
    if (uid !== undefined) this.taken.delete(uid);
  }
}
