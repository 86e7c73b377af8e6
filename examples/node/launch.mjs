// The launch, as go-plugin has it: a cookie, certificates of both sides, a socket, and one line on standard output.
// github.com/hashicorp/go-plugin, docs/guide-plugin-write-non-go.md.
import * as grpc from "@grpc/grpc-js";
import * as loader from "@grpc/proto-loader";
import "reflect-metadata"; // before x509, which needs it
import * as x509 from "@peculiar/x509";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";

const cookie = "9d3d6b0f-device";
const protocol = 1; // the version of the contract
const maxMessage = 64 << 20; // bytes

// load reads a .proto file beside this one.
export function load(file) {
  const options = { longs: Number, defaults: true, oneofs: false, keepCase: true };
  return grpc.loadPackageDefinition(loader.loadSync(new URL(file, import.meta.url).pathname, options));
}

// serve serves until the host ends this process, or has ended itself.
export async function serve(services) {
  if (process.env.PENSTOCK_PLUGIN !== cookie) {
    console.error("This is a plugin of Penstock. Install it with `penstock plugin install`.");
    process.exit(1);
  }
  process.on("SIGINT", () => {}); // the host decides what becomes of a run
  const host = process.ppid;
  setInterval(() => process.ppid === host || process.exit(1), 500);

  const server = new grpc.Server({ "grpc.max_receive_message_length": maxMessage, "grpc.max_send_message_length": maxMessage });
  for (const [service, methods] of services) server.addService(service, methods);
  server.addService(load("health.proto").grpc.health.v1.Health.service, { check: (_, reply) => reply(null, { status: 1 }) });
  server.addService(load("controller.proto").plugin.GRPCController.service, {
    shutdown: (_, reply) => {
      reply(null, {});
      setTimeout(() => process.exit(0), 10);
    },
  });

  const own = await identity();
  const socket = path.join(process.env.PLUGIN_UNIX_SOCKET_DIR || os.tmpdir(), `plugin-${process.pid}`); // its own folder
  process.on("exit", () => fs.rmSync(socket, { force: true }));
  const credentials = grpc.ServerCredentials.createSsl(Buffer.from(process.env.PLUGIN_CLIENT_CERT ?? ""),
    [{ cert_chain: Buffer.from(own.certificate), private_key: Buffer.from(own.key) }], true);
  await new Promise((resolve, reject) =>
    server.bindAsync(`unix:${socket}`, credentials, (error) => (error ? reject(error) : resolve())));
  process.stdout.write(`1|${protocol}|unix|${socket}|grpc|${show(own)}\n`);
}

// show gives the host the certificate: over the pipe that it has opened for that, or, to other hosts of go-plugin, by
// what it returns, a part of the line.
function show({ der }) {
  const pipe = process.env.PENSTOCK_IDENTITY_PIPE;
  if (!pipe) return der.toString("base64").replace(/=+$/, "");
  fs.writeSync(Number(pipe), der);
  fs.closeSync(Number(pipe));
  return "";
}

// identity is a key on P-256, and a certificate of it that vouches for itself: the host trusts no other.
async function identity() {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const day = 24 * 3600 * 1000;
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: "CN=localhost", notBefore: new Date(Date.now() - day), notAfter: new Date(Date.now() + 365 * day),
    signingAlgorithm: algorithm, keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyCertSign, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth, x509.ExtendedKeyUsage.clientAuth]),
      new x509.SubjectAlternativeNameExtension([{ type: "dns", value: "localhost" }]),
    ],
  });
  const key = x509.PemConverter.encode(await crypto.subtle.exportKey("pkcs8", keys.privateKey), "PRIVATE KEY");
  return { certificate: certificate.toString("pem"), der: Buffer.from(certificate.rawData), key };
}
