// native-web-search for pi. `native-web-search pi install` puts this file where pi finds it, with
// the Python that has the package in COMMAND; `native-web-search pi uninstall` takes it away.
//
// It registers the tool and knows nothing of providers. A Python process, one for each session,
// decides when the tool is offered and in which form, and answers its calls; it asks back for
// pi's credentials. What both say is told in protocol.py.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";

const COMMAND = ["python3", "-P", "-m", "native_web_search.adapters.hosts.pi"];
const PROTOCOL = "1";
const SYNC_MS = 30_000; // pi's events wait no longer for a process that does not answer
const LAST_WORDS_MS = 3_000;

// Until the process has said more.
const TOOL = {"name": "web_search", "description": "Search the web or analyze specified URLs", "parameters": {"type": "object", "properties": {"query": {"type": "string", "description": "What to search the web for."}}, "required": ["query"]}};

type Message = Record<string, any>;
type Update = (text: string) => void;
type Waiting = { resolve: (message: Message) => void; reject: (error: Error) => void; update?: Update };

// Sessions whose user took the tool away. They outlive /reload, which loads this file anew.
const OPT_OUTS: Set<string> = ((globalThis as any)[Symbol.for("native-web-search.opt-outs")] ??= new Set());

export default function (pi: ExtensionAPI) {
  let python: SearchProcess | undefined;
  let latest: ExtensionContext | undefined;
  let complaint = "";

  register(TOOL);
  pi.on("session_start", sync(true));
  pi.on("session_tree", sync(true));
  pi.on("model_select", sync(false));
  pi.on("before_agent_start", sync(false));
  pi.on("session_shutdown", async (event, ctx) => {
    // What the user did since the last event would be lost with the process.
    if (event.reason !== "quit") await sync(false)(event, ctx);
    stop();
  });

  function register({ name, description, parameters }: Message) {
    pi.registerTool({ name, label: "Web Search", description, parameters, defaultActive: false, execute });
  }

  async function execute(_id: string, params: any, signal: any, onUpdate: any, ctx: ExtensionContext) {
    const update = (text: string) => onUpdate?.({ content: [{ type: "text", text }], details: {} });
    const answer = await running(ctx).ask({ type: "call", arguments: params, ...models(ctx) }, { signal, update });
    return { content: [{ type: "text" as const, text: answer.text }], details: answer.details, isError: answer.isError };
  }

  function sync(restored: boolean) {
    return async (_event: unknown, ctx: ExtensionContext) => {
      const session = ctx.sessionManager.getSessionId();
      const seen = { restored, optedOut: OPT_OUTS.has(session), active: pi.getActiveTools() };
      try {
        const done = await running(ctx).ask({ type: "sync", ...seen, ...models(ctx) }, { within: SYNC_MS });
        if (done.optedOut) OPT_OUTS.add(session);
        else OPT_OUTS.delete(session);
        complaint = "";
      } catch (error: any) {
        stop();
        activate(false);
        if (error.message === complaint) return;
        complaint = error.message;
        throw error; // pi shows it to the user
      }
    };
  }

  function running(ctx: ExtensionContext): SearchProcess {
    latest = ctx;
    if (!python?.alive) python = new SearchProcess(hear);
    return python;
  }

  function stop() {
    python?.stop();
    python = undefined;
  }

  function activate(on: boolean) {
    const others = pi.getActiveTools().filter((name) => name !== TOOL.name);
    pi.setActiveTools(on ? [...others, TOOL.name] : others);
  }

  async function hear(message: Message, from: SearchProcess) {
    if (from !== python) return;
    if (message.type === "register") register(message.tool);
    if (message.type === "activate") activate(message.on);
    if (message.type === "notice") latest?.ui.notify(message.text, "warning");
    if (message.type === "credential") from.tell({ type: "auth", id: message.id, ...(await auth(message)) });
  }

  async function auth({ provider, model: id }: Message): Promise<Message> {
    try {
      const { model: current, modelRegistry } = latest!;
      const isCurrent = current?.provider === provider && current?.id === id;
      const model = isCurrent ? current : modelRegistry.find(provider, id);
      return model ? await modelRegistry.getApiKeyAndHeaders(model) : { ok: true };
    } catch (error) {
      return { ok: false, error: String(error) };
    }
  }
}

function models(ctx: ExtensionContext): Message {
  const plain = ({ provider, id, api, baseUrl, headers, compat, maxTokens }: Message) => {
    return { provider, id, api, baseUrl, headers, compat, maxTokens };
  };
  return { current: ctx.model && plain(ctx.model), available: ctx.modelRegistry.getAvailable().map(plain) };
}

// The process, and who waits for its answers. Its standard error is kept for when it fails.
class SearchProcess {
  alive = true;
  private count = 0;
  private lastWords = "";
  private waiting = new Map<number, Waiting>();
  private child = spawn(COMMAND[0], [...COMMAND.slice(1), PROTOCOL], { windowsHide: true });

  constructor(private hear: (message: Message, from: SearchProcess) => Promise<void>) {
    const { stdin, stdout, stderr } = this.child;
    this.child.on("error", (error) => this.ended(error.message));
    this.child.on("close", (code) => this.ended(this.lastWords.trim().split("\n").pop() || `exit code ${code}`));
    stdin.on("error", () => {}); // the end of the process tells the same
    stderr.setEncoding("utf8").on("data", (text: string) => (this.lastWords = (this.lastWords + text).slice(-2_000)));
    createInterface({ input: stdout }).on("line", (line) => this.take(line));
  }

  tell(message: Message) {
    if (this.alive) this.child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  async ask(message: Message, how: { signal?: AbortSignal; update?: Update; within?: number }): Promise<Message> {
    const id = ++this.count;
    const { promise, resolve, reject } = Promise.withResolvers<Message>();
    const abort = () => {
      this.tell({ type: "cancel", id });
      reject(new Error("Request was aborted"));
    };
    const late = () => reject(new Error(`the search process did not answer within ${how.within} ms`));
    const timer = how.within === undefined ? undefined : setTimeout(late, how.within);
    how.signal?.addEventListener("abort", abort);
    this.waiting.set(id, { resolve, reject, update: how.update });
    this.tell({ ...message, id });
    if (how.signal?.aborted) abort();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      how.signal?.removeEventListener("abort", abort);
      this.waiting.delete(id);
    }
  }

  stop() {
    this.child.stdin.end();
    setTimeout(() => this.child.kill(), LAST_WORDS_MS).unref();
  }

  private take(line: string) {
    if (!line.startsWith("{")) return; // printed by something that Python loads before us
    const message: Message = JSON.parse(line);
    const waiting = this.waiting.get(message.id);
    if (message.type === "progress") waiting?.update?.(message.text);
    else if (message.type === "failed") waiting?.reject(new Error(message.text));
    else if (message.type === "synced" || message.type === "answer") waiting?.resolve(message);
    else this.hear(message, this).catch(() => {}); // the session was replaced meanwhile
  }

  private ended(reason: string) {
    this.alive = false;
    for (const { reject } of this.waiting.values()) reject(new Error(`the search process ended: ${reason}`));
    this.waiting.clear();
  }
}
