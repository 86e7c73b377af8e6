#!/usr/bin/env node
// A plugin of Penstock in JavaScript: it brings the algorithm h-index, over the wire contract alone.
//
//   host ──launch, a line on standard output──▶ this process       launch.mjs
//   host ──Describe, Open, Compile, Execute───▶ services below     gRPC over a Unix socket, mutual TLS
//   host ◀─────────── shared memory ─────────▶ Session             session.mjs, chunk.mjs, hindex.mjs
import * as grpc from "@grpc/grpc-js";
import { createRequire } from "node:module";
import { code, Failure, wire } from "./failure.mjs";
import { definition } from "./hindex.mjs";
import { load, serve } from "./launch.mjs";
import { Session } from "./session.mjs";

const name = "hindex";
const protobuf = createRequire(import.meta.url)("protobufjs");
const types = protobuf.loadSync(new URL("plugin.proto", import.meta.url).pathname);
const [ErrorType, Status] = ["Error", "Status"].map((t) => types.lookupType(`penstock.device.v1.${t}`));

const description = {
  name, version: "1.0.0", hardware: `one thread of Node ${process.versions.node}`, threads: 1,
  procedures: [definition.name], algorithms: [definition],
};
const sessions = new Map();
let last = 0;

function session(id) {
  const found = sessions.get(id);
  if (!found) throw new Failure("invalid", `session ${id} is not open`);
  return found;
}

// status is an error as gRPC has it, with all that the host wants to know in its details.
function status(error) {
  const value = ErrorType.encode(ErrorType.fromObject(wire(error, name))).finish();
  const details = [{ typeUrl: "type.googleapis.com/penstock.device.v1.Error", value }];
  const metadata = new grpc.Metadata();
  metadata.set("grpc-status-details-bin", Buffer.from(
    Status.encode(Status.fromObject({ code: code(error), message: error.message, details })).finish()));
  return { code: code(error), message: error.message, metadata };
}

// unary answers a call by a function.
const unary = (answer) => (call, reply) => {
  try {
    reply(null, answer(call.request));
  } catch (error) {
    reply(status(error));
  }
};

// execute obeys commands in order. The first that fails ends the stream.
function execute(call) {
  let running;
  call.on("data", ({ session: id, command }) => {
    if (call.destroyed || running === null) return;
    let answer = {}, failed;
    const began = process.hrtime.bigint();
    try {
      if (running === undefined) {
        running = session(id);
        return;
      }
      answer = running.obey(command);
    } catch (error) {
      failed = error;
    }
    if (command) {
      const { used: resident = 0, peak = 0 } = running ?? {};
      if (failed) answer = { error: wire(failed, name) };
      const compute_nanos = Number(process.hrtime.bigint() - began);
      call.write({ seq: command.seq, done: true, resident, peak, compute_nanos, ...answer });
    }
    if (failed) {
      running = null;
      call.emit("error", status(failed));
    }
  });
  call.on("end", () => running === null || call.end());
}

await serve([
  [load("plugin.proto").penstock.device.v1.Device.service, {
    describe: unary(() => description),
    open: unary((request) => {
      sessions.set(++last, new Session(request));
      return { session: last };
    }),
    compile: unary((request) => session(request.session).compile(request.task)),
    execute,
    close: unary((request) => {
      session(request.session).close();
      sessions.delete(request.session);
      return {};
    }),
  }],
]);
