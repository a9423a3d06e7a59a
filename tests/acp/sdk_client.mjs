// sdk_client.mjs SDK PROGRAM MODEL_URL CWD
//
// Has a session with `PROGRAM acp` through the client of the protocol's SDK, which is installed in
// the folder SDK. The model's replies are those of acp_test.cc. Prints "session complete".
import assert from 'node:assert';
import { spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';

const [sdk, program, modelUrl, cwd] = process.argv.slice(2);
const acp = await import(
    pathToFileURL(`${sdk}/node_modules/@agentclientprotocol/sdk/dist/v1/stable/acp.js`).href);

const agent = spawn(program, ['acp', '-backend', 'openai', '-model-url', modelUrl],
                    { stdio: ['pipe', 'pipe', 'inherit'] });
const stream = acp.ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout));

const updates = [];
let questions = 0;
const client = acp.client({ name: 'test' })
    .onRequest('session/request_permission', ({ params }) => {
      ++questions;
      const option = params.options.find(({ kind }) => kind === 'allow_once');
      return { outcome: { outcome: 'selected', optionId: option.optionId } };
    })
    .onNotification('session/update', ({ params }) => { updates.push(params.update); });

const said = () => updates.filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk')
    .map(({ content }) => content.text).join('');

await client.connectWith(stream, async (context) => {
  const hello = await context.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
  assert.equal(hello.protocolVersion, 1);
  const { sessionId, modes } =
      await context.request('session/new', { cwd, mcpServers: [] });
  assert.equal(modes.currentModeId, 'ask');
  const prompt = (text) =>
      context.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });

  assert.equal((await prompt('Who rides free?')).stopReason, 'end_turn');
  assert.equal(said(), 'Children under six.');

  await context.request('session/set_mode', { sessionId, modeId: 'build' });
  assert.equal((await prompt('Say good')).stopReason, 'end_turn');
  assert.equal(questions, 1);
  assert(updates.some(({ sessionUpdate }) => sessionUpdate === 'plan'));
  assert(updates.some(({ content }) => Array.isArray(content) &&
      content.some(({ type }) => type === 'diff')));

  const stalled = prompt('/ask Wait');
  await new Promise((go) => setTimeout(go, 500));
  await context.notify('session/cancel', { sessionId });
  assert.equal((await stalled).stopReason, 'cancelled');

  const { sessions } = await context.request('session/list', { cwd });
  assert.equal(sessions[0].sessionId, sessionId);
  await context.request('session/close', { sessionId });
  updates.length = 0;
  await context.request('session/load', { sessionId, cwd, mcpServers: [] });
  assert.equal(
      updates.filter(({ sessionUpdate }) => sessionUpdate === 'user_message_chunk').length, 3);
  assert(said().startsWith('Children under six.'));
});
agent.stdin.end();
const code = await new Promise((ended) => agent.on('exit', ended));
assert.equal(code, 0);
console.log('session complete');
