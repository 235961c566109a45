/** Sent to every model when it connects. Short, because it costs tokens in every conversation. */
export const instructions = `Paneward runs programs and coding agents in tmux terminals that keep running without you.
Use a terminal for programs that outlive one call or need input: servers, watchers, long builds, REPLs, agents. For a short command whose output you want at once, your own shell tool is cheaper.
Start (terminal_start, task_start), then terminal_wait, which returns as soon as a condition holds. Do not poll. On timed_out call it again with the resume token.
Read only what is new: pass the cursor of the last terminal_read. Use terminal_screen for full-screen programs and questions.
When something needs input, terminal_wait shows the question and its options; answer with agent_respond, not by typing.
Every result names the next useful call. The prompt paneward_guide has more.`;

/** The full guide, served as a prompt and as the skill of the Claude Code plugin. */
export const guide = `# Working with Paneward

A terminal is a program in tmux with an id (t3), a name, a journal of everything it printed, and its exit status. It keeps running when you, your client or the daemon stop. A task is a piece of work for a coding agent: a git branch and a worktree of its own, an agent in a terminal, and a merge at the end. Every id may be a terminal's id or name, or a task's id or slug.

## When to use a terminal, and when not

Use one for programs that outlive a single call or need input:
- servers, watchers, tunnels, long builds and test runs
- interactive programs: installers, REPLs, debuggers, ssh, anything with a menu
- other coding agents (as tasks)
- several things at once

Do not use one for a short command whose whole output you want now: your own shell tool is one call instead of three.

## Patterns

Run something long and read its end:
1. terminal_start {"argv":["npm","test"],"cwd":"/repo"} gives an id, say t1
2. terminal_wait {"ids":["t1"],"for":[{"kind":"exited"}]}
3. terminal_read {"id":"t1","lines":50}

Start a server and use it when it is ready. Wait for its exit as well, or you wait forever for a server that died:
1. terminal_start {"argv":["npm","run","dev"],"name":"dev"}
2. terminal_wait {"ids":["dev"],"for":[{"kind":"output","pattern":"listening on|ready in"},{"kind":"exited"}]}

Talk to a program:
1. terminal_send {"id":"t1","text":"print(2+2)"}
2. terminal_read {"id":"t1","cursor":"...","wait":5}
Press keys with terminal_send {"id":"t1","keys":["C-c"]} or {"id":"t1","keys":["Down","Enter"]}. What you type goes to whatever is on the screen: look at terminal_screen if you do not know.

Answer a question (a permission, a menu, [y/N]) of an agent or a program:
1. terminal_wait {"ids":["t1"],"for":[{"kind":"needs_input"},{"kind":"exited"}]} shows the question, its id and its options
2. agent_respond {"id":"t1","option":2} or {"id":"t1","text":"main.ts"}; deny a permission with {"id":"t1","deny":"why"}. Add "question" with the question's id to have it refused if another one is open by then. Where Paneward cannot prove that the whole command is shown, you can deny it; only a person can allow it

Let agents work side by side:
1. task_start {"root":"/repo","text":"..."} for each; the text is all the agent knows
2. terminal_wait {"ids":["1","2"],"mode":"any","for":[{"kind":"exited"},{"kind":"needs_input"}]}
3. answer what needs input, and wait again; review the worktree, then task_merge {"id":"1"}
4. thread_post {"title":"review","text":"..."} leaves a message for agents and people; thread_read {} shows the threads

Work in one session with windows and panes that stay where you left them:
1. tmux {"action":"send","params":{"pane":"0.0","command":"npm test"}}
2. tmux {"action":"wait","params":{"pane":"0.0"}} returns when the command has ended
3. tmux {"action":"read","params":{"pane":"0.0","since":true}}

There is no shell unless you ask for one: {"argv":["sh","-c","make 2>&1 | tee log"]}.

## Costs

- Waiting costs one call however long it lasts; polling costs a call each time. terminal_wait returns at once if the condition already holds.
- A wait ends after 25 seconds unless you say otherwise, because many clients give up after 30. timed_out is not an error: call again with the resume token, and nothing in between is missed.
- Read with the cursor of the previous result to pay only for new output. Without a cursor you get the last 100 lines. budget limits the tokens of one result: the middle of longer text is cut out, and a line says how much.
- terminal_read removes escape sequences and redraws. terminal_screen shows what a person would see.

## Words

Running: working. Idle: no output for a while. Waiting: needs an answer. Exited: ended by itself; the field end has the exit code. Stopped: ended by a stop. Lost: the tmux server is gone; terminal_restore starts it again. Idle does not mean finished: only Exited does.

## When something fails

An error says what happened, what to do and what to call next. "outcome_unknown" means that it may have happened: check before you try again. Give terminal_send an idempotency_key when you may have to repeat it.
`;
