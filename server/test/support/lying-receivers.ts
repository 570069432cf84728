import { gzipSync } from "node:zlib";
import { type Certificate, makeAuthority, selfSigned } from "./certificates.ts";
import {
  answering,
  type Behaviour,
  hanging,
  type Line,
  ok,
  type ReceiverOptions,
  testAuthority,
} from "./receiver.ts";

export const OK = "HTTP/1.1 200 OK\r\n";
export const EMPTY = `${OK}Content-Length: 0\r\n\r\n`;
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;

export interface LyingReceiver extends ReceiverOptions {
  readonly expected: number | string;
}

/** Sends a piece again and again and never finishes. */
const drip =
  (piece: string, before = "", milliseconds = 20): Behaviour =>
  async (line) => {
    await line.write(before);
    const timer = setInterval(() => void line.write(piece), milliseconds);
    line.socket.once("close", () => clearInterval(timer));
  };

const after1 =
  (bytes: string, then: (line: Line) => void): Behaviour =>
  async (line) => {
    await line.write(bytes);
    then(line);
  };

export const reset = (line: Line) => line.reset();
export const end = (line: Line) => line.end();

/** An answer whose reason phrase, header names and values together have this many bytes. */
const paddedHead = (size: number) =>
  `${OK}Content-Length: 0\r\nX: ${"a".repeat(size - "OKContent-Length0X".length)}\r\n\r\n`;

const issuedFor = (names: string[], days?: { from: number; to: number }): Certificate =>
  testAuthority().issue(names, days);

/** Misbehaving receivers, each with the expected status or failure. */
export const lyingReceivers: Readonly<Record<string, LyingReceiver>> = {
  "one that answers": { behaviour: ok, expected: 200 },
  "one that answers byte by byte": { behaviour: answering(...EMPTY.split("")), expected: 200 },
  "one that answers in chunks": {
    behaviour: answering(CHUNKED, "2\r\nok\r\n", "0\r\n\r\n"),
    expected: 200,
  },
  "one that closes after its answer": {
    behaviour: (line) => line.end(`${OK}\r\nok`),
    expected: 200,
  },
  "one that resets after its answer": { behaviour: after1(EMPTY, reset), expected: 200 },

  // Slow receivers.
  "one that hangs before TLS": {
    onConnection: () => true,
    expected: "timeout",
  },
  "one that reads and never answers": {
    behaviour: hanging,
    expected: "timeout",
  },
  "slow headers": {
    behaviour: drip("X: y\r\n", OK),
    expected: "timeout",
  },
  "a slow status line": {
    behaviour: drip("a", "HTTP/1.1 200 "),
    expected: "timeout",
  },
  "a slow body": {
    behaviour: drip("a", `${OK}Content-Length: 4096\r\n\r\n`),
    expected: "timeout",
  },
  "slow chunks": {
    behaviour: drip("1\r\na\r\n", CHUNKED),
    expected: "timeout",
  },
  "slow interim answers": {
    behaviour: drip("HTTP/1.1 102 Processing\r\n\r\n", "", 200),
    expected: "timeout",
  },
  "an incomplete body": {
    behaviour: answering(`${OK}Content-Length: 5\r\n\r\nok`),
    expected: "timeout",
  },

  // Endless answers.
  "too many interim answers, in one record with the answer": {
    behaviour: answering(`${"HTTP/1.1 103 Early Hints\r\n\r\n".repeat(101)}${EMPTY}`),
    expected: "response-headers-too-large",
  },
  "endless interim answers": {
    behaviour: (line) => line.writeForEver("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(50)),
    expected: "response-headers-too-large",
  },
  "an endless reason phrase": {
    behaviour: async (line) => {
      await line.write("HTTP/1.1 200 ");
      await line.writeForEver("a".repeat(500));
    },
    expected: "response-headers-too-large",
  },
  "a reason phrase above 16 KiB": {
    behaviour: answering(`HTTP/1.1 200 ${"a".repeat(200_000)}\r\nContent-Length: 0\r\n\r\n`),
    expected: "response-headers-too-large",
  },
  "endless headers": {
    behaviour: async (line) => {
      await line.write(OK);
      await line.writeForEver("X: y\r\n".repeat(50));
    },
    expected: "response-headers-too-large",
  },
  "an endless header": {
    behaviour: async (line) => {
      await line.write(`${OK}X: `);
      await line.writeForEver("a".repeat(500));
    },
    expected: "response-headers-too-large",
  },
  "an endless body": {
    behaviour: async (line) => {
      await line.write(`${OK}\r\n`);
      await line.writeForEver("a".repeat(500));
    },
    expected: "response-body-too-large",
  },
  "endless chunks": {
    behaviour: async (line) => {
      await line.write(CHUNKED);
      await line.writeForEver(`40\r\n${"a".repeat(64)}\r\n`);
    },
    expected: "response-body-too-large",
  },
  "an endless chunk extension": {
    behaviour: async (line) => {
      await line.write(`${CHUNKED}1`);
      await line.writeForEver(";a=b");
    },
    expected: "protocol-error",
  },
  "endless trailers": {
    behaviour: async (line) => {
      await line.write(`${CHUNKED}0\r\n`);
      await line.writeForEver("X: y\r\n".repeat(50));
    },
    expected: "response-headers-too-large",
  },
  "16 KiB of headers exactly": { behaviour: answering(paddedHead(16_384)), expected: 200 },
  "16 KiB of headers and one byte": {
    behaviour: answering(paddedHead(16_385)),
    expected: "response-headers-too-large",
  },
  "4 KiB of body exactly": {
    behaviour: answering(`${OK}Content-Length: 4096\r\n\r\n`, "a".repeat(4096)),
    expected: 200,
  },
  "4 KiB of body and one byte": {
    behaviour: answering(`${OK}Content-Length: 4097\r\n\r\n`, "a".repeat(4097)),
    expected: "response-body-too-large",
  },
  "4 KiB of body exactly, in one record with the headers": {
    behaviour: answering(`${OK}Content-Length: 4096\r\n\r\n${"a".repeat(4096)}`),
    expected: 200,
  },
  "4 KiB of body and one byte, in one record with the headers": {
    behaviour: answering(`${OK}Content-Length: 4097\r\n\r\n${"a".repeat(4097)}`),
    expected: "response-body-too-large",
  },
  "a body that fills one record with the headers": {
    behaviour: answering(`${OK}Content-Length: 16000\r\n\r\n${"a".repeat(16_000)}`),
    expected: "response-body-too-large",
  },
  "a body above 4 KiB in chunks, in one record with the headers": {
    behaviour: answering(`${CHUNKED}${`400\r\n${"a".repeat(1_024)}\r\n`.repeat(5)}0\r\n\r\n`),
    expected: "response-body-too-large",
  },
  "4 KiB of body and one byte, without a length": {
    behaviour: (line) => line.end(`${OK}\r\n${"a".repeat(4097)}`),
    expected: "response-body-too-large",
  },
  "a compression bomb": {
    behaviour: (line) => {
      const bomb = gzipSync(Buffer.alloc(1_000_000));
      return line.writeApart([
        `${OK}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`,
        bomb,
      ]);
    },
    expected: 200,
  },
  "a compression bomb as a transfer coding": {
    behaviour: (line) => {
      const bomb = gzipSync(Buffer.alloc(1_000_000));
      return line.writeApart([
        `${OK}Transfer-Encoding: gzip, chunked\r\n\r\n${bomb.length.toString(16)}\r\n`,
        bomb,
        "\r\n0\r\n\r\n",
      ]);
    },
    expected: 200,
  },

  // Resets and closes at each stage.
  "a reset as soon as it is connected": {
    onConnection: (socket) => Boolean(socket.resetAndDestroy()),
    expected: "connection-reset",
  },
  "a close as soon as it is connected": {
    onConnection: (socket) => Boolean(socket.end()),
    expected: "connection-reset",
  },
  "a reset during the handshake": {
    onConnection: (socket) => Boolean(socket.once("data", () => socket.resetAndDestroy())),
    expected: "connection-reset",
  },
  "a close during the handshake": {
    onConnection: (socket) => Boolean(socket.once("data", () => socket.end())),
    expected: "connection-reset",
  },
  "a reset after the handshake": { onSecure: reset, expected: "connection-reset" },
  "a close after the handshake": { onSecure: end, expected: "connection-reset" },
  "a reset after the request": { behaviour: reset, expected: "connection-reset" },
  "a close after the request": { behaviour: end, expected: "connection-reset" },
  "a reset in the status line": {
    behaviour: after1("HTTP/1.1 2", reset),
    expected: "connection-reset",
  },
  "a close in the headers": {
    behaviour: after1(`${OK}Content-Le`, end),
    expected: "connection-reset",
  },
  "a close in the body": {
    behaviour: after1(`${OK}Content-Length: 5\r\n\r\nok`, end),
    expected: "connection-reset",
  },
  "a reset in a body without a length": {
    behaviour: after1(`${OK}\r\nok`, reset),
    expected: "connection-reset",
  },
  "a close between chunks": {
    behaviour: after1(`${CHUNKED}2\r\nok\r\n`, end),
    expected: "connection-reset",
  },
  "a close after an interim answer": {
    behaviour: after1("HTTP/1.1 103 Early Hints\r\n\r\n", end),
    expected: "connection-reset",
  },

  "an answer to an unread request": {
    onSecure: (line) =>
      line.socket.once("data", () => {
        line.socket.pause();
        void line.write("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n");
      }),
    behaviour: hanging,
    expected: 413,
  },

  // TLS.
  "an expired certificate": {
    certificate: issuedFor(["127.0.0.1"], { from: -30, to: -1 }),
    expected: "tls-failure",
  },
  "a certificate that is not valid yet": {
    certificate: issuedFor(["127.0.0.1"], { from: 1, to: 30 }),
    expected: "tls-failure",
  },
  "a self-signed certificate": { certificate: selfSigned(["127.0.0.1"]), expected: "tls-failure" },
  "a certificate for another host": {
    certificate: issuedFor(["other.example"]),
    expected: "tls-failure",
  },
  "a certificate of an unknown authority": {
    certificate: makeAuthority().issue(["127.0.0.1"]),
    expected: "tls-failure",
  },
  "TLS 1.1": {
    tls: { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" },
    expected: "tls-failure",
  },
  "TLS 1.2": { tls: { maxVersion: "TLSv1.2" }, expected: 200 },
  "one that requires a client certificate": {
    tls: { requestCert: true, rejectUnauthorized: true },
    expected: "tls-failure",
  },
  "one that requires a client certificate, in TLS 1.2": {
    tls: { requestCert: true, rejectUnauthorized: true, maxVersion: "TLSv1.2" },
    expected: "tls-failure",
  },
  "one that speaks HTTP/2 only": { tls: { ALPNProtocols: ["h2"] }, expected: "tls-failure" },
  "one without TLS": {
    onConnection: (socket) => Boolean(socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")),
    expected: "tls-failure",
  },
  "noise instead of TLS": {
    onConnection: (socket) => Boolean(socket.write(Buffer.alloc(64, 0xee))),
    expected: "tls-failure",
  },

  // Malformed answers.
  "HTTP/0.9": { behaviour: answering("<html>"), expected: "protocol-error" },
  "frames of HTTP/2": {
    behaviour: answering("\x00\x00\x12\x04\x00\x00\x00\x00\x00"),
    expected: "protocol-error",
  },
  "two lengths of one body, the same": {
    behaviour: answering(`${OK}Content-Length: 0\r\nContent-Length: 0\r\n\r\n`),
    expected: "protocol-error",
  },
  "headers that are cut off": {
    behaviour: (line) => line.end(`${OK}Content-Length: 5\r\nX`),
    expected: "connection-reset",
  },
  "a close in the chunks of a connection that will be closed": {
    behaviour: (line) =>
      line.end(`${OK}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n`),
    expected: "connection-reset",
  },
  "a close in the body of a connection that will be closed": {
    behaviour: (line) => line.end(`${OK}Connection: close\r\nContent-Length: 5\r\n\r\nok`),
    expected: "connection-reset",
  },
  "a status above 599": {
    behaviour: answering("HTTP/1.1 999 X\r\nContent-Length: 99999\r\n\r\n"),
    expected: 999,
  },
  "a status below 100": { behaviour: answering("HTTP/1.1 099 X\r\n\r\n"), expected: 99 },
  "two lengths of one body": {
    behaviour: answering(`${OK}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n`),
    expected: "protocol-error",
  },
  "noise": { behaviour: answering(Buffer.alloc(2_000)), expected: "protocol-error" },

  "a redirect": {
    behaviour: answering(
      "HTTP/1.1 307 Temporary Redirect\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n",
    ),
    expected: 307,
  },
  "interim answers first": {
    behaviour: answering(
      "HTTP/1.1 100 Continue\r\n\r\n",
      "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n",
      EMPTY,
    ),
    expected: 200,
  },
  "a change of protocol": {
    behaviour: answering(
      "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n",
    ),
    expected: 101,
  },
  "a change of protocol that names none": {
    behaviour: answering("HTTP/1.1 101 Switching Protocols\r\n\r\n"),
    expected: 101,
  },
};
