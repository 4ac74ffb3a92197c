# Images of Glovebox: targets api, controller, scanner-job. `npm run images` builds them; it first makes dist/ and the
# bills of materials that are copied here.
#
# Pin the base before you publish, with the digest that your registry client reports for the tag:
#   --build-arg NODE_IMAGE=gcr.io/distroless/nodejs24-debian12:nonroot@sha256:…
# Another base must have Node 24 as `node` in /nodejs/bin, /usr/local/bin, /usr/bin or /bin, and a user 65532.
ARG NODE_IMAGE=gcr.io/distroless/nodejs24-debian12:nonroot

FROM ${NODE_IMAGE} AS base
ARG VERSION=dev
ARG REVISION=unknown
LABEL org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.vendor="Glovebox" \
      dev.glovebox.sbom="/app/sbom.cdx.json"
ENV NODE_ENV=production PATH=/nodejs/bin:/usr/local/bin:/usr/bin:/bin
WORKDIR /app
USER 65532:65532

FROM base AS api
LABEL org.opencontainers.image.title="glovebox-api" \
      org.opencontainers.image.description="The REST API of Glovebox on Kubernetes"
COPY LICENSE dist/package.json dist/api.mjs ./
COPY dist/migrations ./migrations
COPY dist/swagger-ui-dist ./swagger-ui-dist
COPY dist/images/api.cdx.json ./sbom.cdx.json
EXPOSE 8080
ENTRYPOINT ["node", "/app/api.mjs"]

FROM base AS controller
LABEL org.opencontainers.image.title="glovebox-controller" \
      org.opencontainers.image.description="Makes one sealed Job of every Scan"
COPY LICENSE dist/package.json dist/controller.mjs ./
COPY dist/images/controller.cdx.json ./sbom.cdx.json
EXPOSE 8080 8099
ENTRYPOINT ["node", "/app/controller.mjs"]

FROM base AS scanner
COPY LICENSE dist/package.json dist/scanner-job.* dist/spec-worker.mjs ./

# One scan that ends at once, for what V8 compiles on the way. The cache is good for one version of Node and one user.
FROM scanner AS warm
COPY scripts/images/warm-up-order.json /warm-up/order.json
ENV NODE_COMPILE_CACHE=/tmp/compile-cache
RUN ["node", "--max-old-space-size=128", "--max-semi-space-size=4", "/app/scanner-job.mjs", "--order", "/warm-up/order.json"]

FROM scanner AS scanner-job
LABEL org.opencontainers.image.title="glovebox-scanner-job" \
      org.opencontainers.image.description="Carries out one scan and prints its report"
COPY --from=warm --chown=65532:65532 /tmp/compile-cache ./compile-cache
COPY dist/images/scanner-job.cdx.json ./sbom.cdx.json
ENV NODE_COMPILE_CACHE=/app/compile-cache
ENTRYPOINT ["node", "--max-old-space-size=128", "--max-semi-space-size=4", "/app/scanner-job.mjs"]
