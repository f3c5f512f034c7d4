/** A load balancer's addresses, in order and without repetition. */
export function loadBalancerAddresses(ingress: { ip?: string; hostname?: string }[] | undefined): string {
  const addresses = new Set((ingress ?? []).map((i) => i.ip || i.hostname || "").filter((a) => a !== ""));
  return [...addresses].sort().join(",");
}
