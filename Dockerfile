# The service as one image: built with the development tools, run without them.
FROM node:20-bookworm-slim AS build
WORKDIR /edgewright
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:20-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
WORKDIR /edgewright
COPY --from=build /edgewright/package.json ./
COPY --from=build /edgewright/node_modules ./node_modules
COPY --from=build /edgewright/dist ./dist
COPY --from=build /edgewright/templates ./templates
RUN mkdir /data && chown node /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "dist/api/main.js", "serve"]
