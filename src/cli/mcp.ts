/**
 * `mcp`: the questions as tools of the Model Context Protocol, on standard input and output or over HTTP.
 *
 * Takes: calls. Gives: short texts. Must not know: what is asked.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { engineVersion } from '../host/engine-version.ts';
import { createKeyCheck, hashKey } from '../server/keys/key-digest.ts';
import { documents, documentText, refusalText, type Tool, toolsOf } from './mcp-tools.ts';
import type { Environment, Output } from './output.ts';
import { LONG_RUN, printFailures, withOwnRisk } from './own-risk.ts';

export interface McpOptions {
  /** Port of the loopback; standard input and output where absent. */
  readonly http?: number;
  /** Key that an HTTP caller sends as `Authorization: Bearer`. */
  readonly key?: string;
}

const SCHEME = 'docs://';

/** A server of the protocol with the tools. */
export function mcpServer(tools: readonly Tool[]): Server {
  const server = new Server(
    { name: 'collateral-risk-engine', version: engineVersion() },
    {
      capabilities: { tools: {}, resources: {} },
      instructions:
        'Risk of crypto loans, books of loans and perpetuals by simulation. Every tool only reads. Ask explain for the meaning of a figure.',
    },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema: inputSchema as { type: 'object' },
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, _meta, sendNotification }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}.`);
    const progressToken = _meta?.progressToken;
    const onProgress = (progress: number) => {
      if (progressToken !== undefined)
        void sendNotification({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 1 },
        });
    };
    try {
      const text = await tool.run(params.arguments ?? {}, { signal, onProgress });
      return { content: [{ type: 'text', text }] };
    } catch (error) {
      signal.throwIfAborted();
      return { isError: true, content: [{ type: 'text', text: refusalText(error) }] };
    }
  });
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: documents().map(name => ({ uri: SCHEME + name, name, mimeType: 'text/markdown' })),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    const name = uri.slice(SCHEME.length);
    if (!uri.startsWith(SCHEME) || !documents().includes(name))
      throw new McpError(ErrorCode.InvalidParams, `There is no resource ${uri}.`);
    return { contents: [{ uri, mimeType: 'text/markdown', text: documentText(name) }] };
  });
  return server;
}

/** Serves until the client goes, or over HTTP until the process is stopped. @returns the exit code */
export function serveMcp(options: McpOptions, environment: Environment, output: Output): Promise<number> {
  return printFailures(
    () =>
      withOwnRisk({ ...environment, ...LONG_RUN }, async ({ risk }) => {
        const tools = toolsOf(risk, environment);
        if (options.http === undefined) {
          const server = mcpServer(tools);
          const gone = new Promise<void>(resolve => {
            server.onclose = resolve;
            process.stdin.once('end', resolve);
          });
          await server.connect(new StdioServerTransport());
          await gone;
          return 0;
        }
        await serveHttp(tools, options.http, options.key as string, output);
        return 0;
      }),
    output,
  );
}

/** On the loopback, one server of the protocol for each request: a call needs no session. */
async function serveHttp(tools: readonly Tool[], port: number, key: string, { err }: Output): Promise<void> {
  const isKey = createKeyCheck([hashKey(key).toString('hex')]);
  const http = createServer((request, response) => {
    answerHttp(tools, isKey, request, response).catch(() => response.destroy());
  });
  http.listen(port, '127.0.0.1');
  await new Promise((resolve, reject) => http.once('listening', resolve).once('error', reject));
  err(`serving MCP at http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp\n`);
  await new Promise<void>(resolve => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, resolve);
  });
  http.close();
  http.closeAllConnections();
}

async function answerHttp(
  tools: readonly Tool[],
  isKey: ReturnType<typeof createKeyCheck>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (isKey(request.headers.authorization?.replace(/^Bearer /, '')) === undefined) {
    response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    return;
  }
  const server = mcpServer(tools);
  const transport = new StreamableHTTPServerTransport();
  response.once('close', () => void server.close());
  await server.connect(transport);
  await transport.handleRequest(request, response);
}
