FROM node:24-slim
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/buyer packages/buyer
# Without its install script, Bun is there once: in the package for this platform, where bin/shirube.mjs finds it.
RUN npm ci --omit=dev --ignore-scripts
COPY openapi.json ./
COPY bin bin
COPY data data
COPY src src
RUN install --directory --owner=node /var/lib/shirube
USER node
ENV HOST=0.0.0.0 DATABASE_URL=sqlite:/var/lib/shirube/shirube.db
VOLUME /var/lib/shirube
EXPOSE 4020
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "bin/shirube.mjs", "serve", "--healthcheck"]
ENTRYPOINT ["node", "bin/shirube.mjs"]
CMD ["serve"]
