# The grader as an image: Node, kubectl, bubblewrap and the built runner. deploy/grade-job.yaml runs it as an Indexed Job.
FROM node:22-bookworm-slim
ARG KUBECTL_VERSION=v1.36.2
ARG TARGETARCH
RUN apt-get update \
 && apt-get install -y --no-install-recommends bubblewrap ca-certificates curl procps util-linux \
 && curl -fsSLo /usr/local/bin/kubectl "https://dl.k8s.io/release/${KUBECTL_VERSION}/bin/linux/${TARGETARCH:-amd64}/kubectl" \
 && curl -fsSL "https://dl.k8s.io/release/${KUBECTL_VERSION}/bin/linux/${TARGETARCH:-amd64}/kubectl.sha256" | sed 's#$#  /usr/local/bin/kubectl#' | sha256sum -c - \
 && chmod 0755 /usr/local/bin/kubectl \
 && apt-get purge -y curl && apt-get autoremove -y && rm -rf /var/lib/apt/lists/*
WORKDIR /opt/k8s-practice
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY . .
RUN node scripts/build.mjs
ENTRYPOINT ["/opt/k8s-practice/run"]
CMD ["--help"]
