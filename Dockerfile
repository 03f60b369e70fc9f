FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/libraries packages/libraries
# Without its install script, Bun is there once: in the package for this platform, where bin/bun.mjs finds it.
RUN npm ci --omit=dev --ignore-scripts
COPY bin bin
COPY scripts scripts
COPY src src
RUN node bin/bun.mjs scripts/build-server.ts

FROM node:24-slim
WORKDIR /app
COPY --from=build /app/node_modules/bun node_modules/bun
COPY --from=build /app/node_modules/@oven node_modules/@oven
COPY --from=build /app/dist dist
COPY package.json openapi.json ./
COPY bin bin
COPY data data
RUN install --directory --owner=node /var/lib/shirube
USER node
ENV HOST=0.0.0.0 DATABASE_URL=sqlite:/var/lib/shirube/shirube.db
VOLUME /var/lib/shirube
EXPOSE 4020
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4020/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/shirube.mjs"]
CMD ["serve"]
