# Images of Glovebox: targets api, controller and scanner-job for Kubernetes, standalone for compose.yaml. `npm run images`
# builds them; it first makes dist/ and the bills of materials that are copied here.
#
# Another base (--build-arg NODE_IMAGE=…) must have Node 24 as `node` in /nodejs/bin, /usr/local/bin, /usr/bin or /bin, and a
# user 65532.
ARG NODE_IMAGE=gcr.io/distroless/nodejs24-debian13:nonroot@sha256:774b7d020b24214835769e24c3544835526cd0288f0b094eae48e8b2c2429a79

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

# A compile cache of V8: it halves the time of each start and saves a tenth of the memory. It is made by a start without
# settings, which exits at once. It is valid for one version of Node, one set of flags and one user.
FROM base AS api-program
COPY LICENSE dist/third-party-licenses.txt dist/api.mjs dist/report-worker.mjs ./

FROM api-program AS api-warm
ENV NODE_COMPILE_CACHE=/tmp/compile-cache
RUN ["node", "--eval", "process.on('exit', () => { process.exitCode = 0; }); import('/app/api.mjs')"]

FROM api-program AS api
LABEL org.opencontainers.image.title="glovebox-api" \
      org.opencontainers.image.description="The REST API of Glovebox on Kubernetes"
COPY dist/migrations ./migrations
COPY dist/sql ./sql
COPY dist/swagger-ui-dist ./swagger-ui-dist
COPY dist/dashboard ./dashboard
COPY dist/images/api.cdx.json ./sbom.cdx.json
COPY --from=api-warm --chown=65532:65532 /tmp/compile-cache ./compile-cache
ENV NODE_COMPILE_CACHE=/app/compile-cache
EXPOSE 8080
ENTRYPOINT ["node", "/app/api.mjs"]

FROM base AS controller-program
COPY LICENSE dist/third-party-licenses.txt dist/controller.mjs dist/outcome-worker.mjs dist/canary.mjs ./

FROM controller-program AS controller-warm
ENV NODE_COMPILE_CACHE=/tmp/compile-cache
RUN ["node", "--eval", "process.on('exit', () => { process.exitCode = 0; }); import('/app/controller.mjs')"]

FROM controller-program AS controller
LABEL org.opencontainers.image.title="glovebox-controller" \
      org.opencontainers.image.description="Runs each Scan as one isolated Job"
COPY dist/images/controller.cdx.json ./sbom.cdx.json
COPY --from=controller-warm --chown=65532:65532 /tmp/compile-cache ./compile-cache
# A reconciliation needs little memory: a small young generation, and one malloc arena that returns free memory.
ENV NODE_COMPILE_CACHE=/app/compile-cache NODE_OPTIONS=--max-semi-space-size=4 \
    MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=65536
# Port 8099: `node /app/canary.mjs`, a separate Deployment in the chart.
EXPOSE 8080 8099
ENTRYPOINT ["node", "/app/controller.mjs"]

FROM base AS scanner
COPY LICENSE dist/third-party-licenses.txt dist/scanner-job.* dist/spec-worker.mjs ./

# The code cache of the scanner, then the compile cache of the modules that a minimal scan loads.
FROM scanner AS warm
COPY scripts/build/compile-scanner.mjs scripts/images/warm-up-order.json /warm-up/
COPY --chown=65532:65532 dist/scanner-job.* dist/spec-worker.mjs /tmp/scanner/
RUN ["node", "--max-old-space-size=128", "--max-semi-space-size=4", "/warm-up/compile-scanner.mjs", "/tmp/scanner"]
ENV NODE_COMPILE_CACHE=/tmp/compile-cache
RUN ["node", "--max-old-space-size=128", "--max-semi-space-size=4", "/app/scanner-job.mjs", "--order", "/warm-up/warm-up-order.json"]

FROM scanner AS scanner-job
LABEL org.opencontainers.image.title="glovebox-scanner-job" \
      org.opencontainers.image.description="Runs one scan and prints its report"
COPY --from=warm /tmp/scanner/scanner-job.cache ./
COPY --from=warm --chown=65532:65532 /tmp/compile-cache ./compile-cache
COPY dist/images/scanner-job.cdx.json ./sbom.cdx.json
# One malloc arena that returns free memory: the thread that reads a large document leaves much of it.
ENV NODE_COMPILE_CACHE=/app/compile-cache MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=65536
ENTRYPOINT ["node", "--max-old-space-size=128", "--max-semi-space-size=4", "/app/scanner-job.mjs"]

FROM base AS standalone-program
COPY LICENSE dist/third-party-licenses.txt dist/glovebox.mjs dist/outcome-worker.mjs dist/report-worker.mjs dist/scanner-job.* dist/spec-worker.mjs ./

FROM standalone-program AS standalone-warm
ENV NODE_COMPILE_CACHE=/tmp/compile-cache
RUN ["node", "/app/glovebox.mjs", "serve", "--help"]
RUN ["node", "--eval", "require('node:fs').mkdirSync('/tmp/data')"]

FROM standalone-program AS standalone
LABEL org.opencontainers.image.title="glovebox-standalone" \
      org.opencontainers.image.description="The service on one machine, with DATABASE_URL and no cluster"
COPY dist/migrations ./migrations
COPY dist/sql ./sql
COPY dist/swagger-ui-dist ./swagger-ui-dist
COPY dist/dashboard ./dashboard
COPY dist/images/standalone.cdx.json ./sbom.cdx.json
COPY --from=standalone-warm --chown=65532:65532 /tmp/compile-cache ./compile-cache
# A new volume gets the owner of this folder.
COPY --from=standalone-warm --chown=65532:65532 /tmp/data /data
ENV NODE_COMPILE_CACHE=/app/compile-cache GLOVEBOX_DATA_DIR=/data GLOVEBOX_HOST=0.0.0.0
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["node", "/app/glovebox.mjs"]
CMD ["serve"]
