// A bot in JavaScript that plays random legal moves. It needs nothing but Node.js.
//
//   watermeet arena flume --bots random "exec:node examples/bots/random.mjs"

import { createInterface } from "node:readline";

const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "hello") {
    say({ type: "ready", name: "any move" });
  } else if (message.type === "choose") {
    const moves = message.legal;
    const move = moves[Math.floor(Math.random() * moves.length)];
    say({ type: "choice", id: message.id, move });
  } else if (message.type === "quit") {
    break;
  }
}
process.exit(0);
