import type { V1Service } from "@kubernetes/client-node";
import type { KubeObject, Wire } from "../api/object.ts";
import { quantityOf } from "../api/quantity.ts";
import type { Evaluator } from "./evaluator.ts";

const names = ["count/services", "services", "services.nodeports", "services.loadbalancers"];

export const services: Evaluator = {
  resources: (of) => of.filter((name) => names.includes(name)),
  usage(object) {
    const { type, ports = [], allocateLoadBalancerNodePorts } = (object as KubeObject & Wire<V1Service>).spec ?? {};
    const allocated = ports.filter((port) => port.nodePort).length;
    const nodePorts = type === "NodePort" || (type === "LoadBalancer" && allocateLoadBalancerNodePorts !== false);
    return {
      "count/services": quantityOf(1),
      services: quantityOf(1),
      "services.nodeports": quantityOf(nodePorts ? ports.length : type === "LoadBalancer" ? allocated : 0),
      "services.loadbalancers": quantityOf(type === "LoadBalancer" ? 1 : 0),
    };
  },
  isInScope: () => false,
  isCharged: (_operation, subresource) => subresource === "",
};
