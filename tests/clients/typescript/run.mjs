// Runs the scenario that is named with the arguments on standard input; prints what it tells.
import { text } from "node:stream/consumers";

const print = (said) => process.stdout.write(`${JSON.stringify(said)}\n`);
const wanted = JSON.parse(await text(process.stdin));
const { [process.argv[2]]: run } = await import("./scenarios.mjs");
const result = await run(wanted, (told) => print({ told }));
print({ result });
