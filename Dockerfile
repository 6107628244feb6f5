# The service as one image: built with the development tools, run without them.
FROM node:24-bookworm-slim AS build
WORKDIR /edgewright
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:24-bookworm-slim
ENV NODE_ENV=production NODE_OPTIONS=--enable-source-maps HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
WORKDIR /edgewright
COPY --from=build /edgewright/package.json /edgewright/LICENSE /edgewright/README.md ./
COPY --from=build /edgewright/node_modules ./node_modules
COPY --from=build /edgewright/dist ./dist
COPY --from=build /edgewright/templates ./templates
# The command line: `docker exec CONTAINER edgewright --help`.
RUN chmod +x dist/api/main.js && ln -s /edgewright/dist/api/main.js /usr/local/bin/edgewright
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
# Whether the process runs. Whether it can serve is /readyz, for who sends it requests: a store that is away is no reason
# to start it anew.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s CMD ["node", "-e", "const { PORT, TLS_CERT } = process.env; if (TLS_CERT) process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'; fetch(`${TLS_CERT ? 'https' : 'http'}://127.0.0.1:${PORT}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["edgewright", "serve"]
