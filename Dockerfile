# Serves on the processor; Dockerfile.gpu is for hosts with an NVIDIA GPU.
#   docker build -t collateral-risk-engine .
#   docker run --rm --read-only -p 8080:8080 -v "$PWD/data:/data" collateral-risk-engine
# Without a store in the volume it refuses to start; -e MARKET_DB=sample serves made-up prices, to try it.

# Another one: --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:<digest>.
ARG NODE_IMAGE=node:24.18.0-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d

FROM ${NODE_IMAGE} AS build
# The C compiler of the native kernel (docs/decisions/native-kernel.md).
RUN apt-get update \
  && apt-get install -y --no-install-recommends gcc libc6-dev \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json ./
COPY client/package.json ./client/
RUN npm ci --no-audit --no-fund
COPY tsconfig.json ./
COPY scripts/build.mjs ./scripts/
COPY kernel ./kernel
COPY src ./src
COPY shaders ./shaders
COPY console ./console
COPY docs/choosing.md ./docs/
COPY client ./client
RUN npm run build

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
COPY client/package.json ./client/
RUN npm ci --omit=dev --no-audit --no-fund
# Packages that a server on the processor does not load: 190 MiB. `market sync` needs ccxt: --build-arg WITHOUT=webgpu.
ARG WITHOUT="webgpu ccxt"
RUN cd node_modules && rm -rf $WITHOUT

FROM ${NODE_IMAGE}
ENV NODE_ENV=production \
  COMPUTE=cpu \
  HOST=0.0.0.0 \
  PORT=8080 \
  MARKET_DB=/data/market

WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json ./
COPY shaders ./shaders

# The only folder that the service may write to, where no volume is mounted over it.
RUN mkdir /data && chown node:node /data
USER node
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.HEALTH_PORT || process.env.PORT}/livez`).then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
