"""python_client.py PROGRAM MODEL_URL CWD

Has a session with `PROGRAM acp` through the client of PyPI's agent-client-protocol. The model's
replies are those of acp_test.cc. Prints "session complete".
"""
import asyncio
import os
import sys

import acp


class Editor:
    def __init__(self):
        self.updates = []
        self.questions = 0

    async def request_permission(self, session_id, tool_call, options, **_):
        self.questions += 1
        option = next(one for one in options if one.kind == 'allow_once')
        return acp.RequestPermissionResponse.model_validate(
            {'outcome': {'outcome': 'selected', 'optionId': option.option_id}})

    async def session_update(self, session_id, update, **_):
        self.updates.append(update)

    def on_connect(self, connection):
        pass

    def of(self, kind):
        return [one for one in self.updates if one.session_update == kind]

    def said(self):
        return ''.join(one.content.text for one in self.of('agent_message_chunk'))


async def main(program, model_url, cwd):
    editor = Editor()
    async with acp.spawn_agent_process(editor, program, 'acp', '-backend', 'openai', '-model-url',
                                       model_url, env=dict(os.environ)) as (agent, _):
        hello = await agent.initialize(protocol_version=1)
        assert hello.protocol_version == 1 and hello.agent_capabilities.load_session
        session = (await agent.new_session(cwd=cwd)).session_id

        async def prompt(text):
            reply = await agent.prompt(session_id=session, prompt=[acp.text_block(text)])
            return reply.stop_reason

        assert await prompt('Who rides free?') == 'end_turn'
        assert editor.said() == 'Children under six.', editor.said()
        await agent.set_session_mode(session_id=session, mode_id='build')
        assert await prompt('Say good') == 'end_turn'
        assert editor.questions == 1
        assert editor.of('plan') and editor.of('tool_call')

        stalled = asyncio.create_task(prompt('/ask Wait'))
        await asyncio.sleep(0.5)
        await agent.cancel(session_id=session)
        assert await stalled == 'cancelled'
        listed = await agent.list_sessions(cwd=cwd)
        assert [one.session_id for one in listed.sessions] == [session]
        editor.updates.clear()
        await agent.load_session(cwd=cwd, session_id=session)
        assert len(editor.of('user_message_chunk')) == 3
    print('session complete')


asyncio.run(main(*sys.argv[1:]))
