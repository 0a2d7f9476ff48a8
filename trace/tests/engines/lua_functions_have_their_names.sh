#!/usr/bin/env bash
# neovim, and each Lua that has luv: who took the time is told by the names, files and lines of Lua,
# whether its functions are interpreted or compiled, with what of C they called; errors, coroutines
# and a hook of the program's own stay what they are.
. trace/tests/common.bash
[ -z "$sanitizer" ] || skip "our library needs the sanitizer in the program"
root=$build/clients/root
runner=()
if ! command -v nvim >/dev/null && ! lua5.1 -e 'require("luv")' 2>/dev/null; then
    [ -x "$root/usr/bin/nvim" ] ||
        skip "there is neither neovim nor Lua with luv (make clients unpacks them)"
    unshare --mount true 2>/dev/null || skip "no mount namespaces here"
    runner=("$source/lib/tests/clients/inside.sh" "$root")
fi
inside() { "${runner[@]}" "$@"; }
there_is() { inside "$@" >/dev/null 2>&1; }

# same COMMAND...: alone and recorded; then the report on that, in report.
same() {
    rm -f file*
    expect 0 inside "$@"
    mv out alone
    expect 0 inside "$phasor" trace -o file -- "$@"
    cmp alone out || fail "$* prints something else when it is recorded: $(cat out)"
    "$events" file left >/dev/null || fail "the recording of $* is not consistent"
    inside "$phasor" report file >report || fail "$(cat report)"
}

cat >app.lua <<'CODE'
local uv = require('luv')
-- No call of the system, where a busy machine would take the processor away. What is compiled gets
-- more to do, so that it takes long there, too.
local more = jit and 10 or 1
local function burn(steps, step)
  local sum = 0
  for _ = 1, steps * more do sum = sum + step() end
  return sum
end
local function interpret()
  local list = {}
  for i = 1, 1000 do list[#list + 1] = tostring(i) end
  return #table.concat(list)
end
local function crunch() return burn(900, interpret) > 0 end
local function compile()
  local x = 0
  for i = 1, 60000000 do x = (x * 31 + i) % 1000003 end
  return x >= 0
end
local text = ("ab"):rep(400000)
local function replace()
  local n = 0
  for _ = 1, 8 do n = select(2, text:gsub("a", "b")) end
  return n
end
local function hooked()
  local count = 0
  debug.sethook(function() count = count + 1 end, "", 1000000)
  burn(500, interpret)
  debug.sethook()
  return count > 0
end
local function fails() burn(500, interpret) error("on purpose") end
local function after(ms, name, call)
  local timer = uv.new_timer()
  timer:start(ms, 0, function()
    timer:close()
    local answer = call()
    print(name, answer)
  end)
end
after(5, "crunch", crunch)
after(10, "compile", compile)
after(15, "replace", replace)
after(20, "hooked", hooked)
after(25, "fails", function() return (select(2, pcall(fails)):gsub("^.*: ", "")) end)
after(30, "wrapped", function()
  return coroutine.wrap(function() return burn(500, interpret) > 0 end)()
end)
uv.run()
CODE

tried=0
for lua in lua5.1 lua5.2 lua5.3 lua5.4 luajit; do
    there_is "$lua" -e 'require("luv")' || continue
    tried=$((tried + 1))
    same "$lua" app.lua
    grep -qE '(crunch|burn|interpret) \(app\.lua:[0-9]+\)' report || fail "$lua: $(cat report)"
    says report "compile (app.lua:16)"
    # LuaJIT compiles interpret() into its caller.
    [ "$lua" = luajit ] || says report "interpret (app.lua:10)"
    grep -qE 'replace|gsub' report || fail "$lua: $(cat report)"
    grep -q '(lua.c:' report && fail "$lua: the recorder is in the stacks: $(cat report)"
done

if there_is nvim --version; then
    tried=$((tried + 1))
    cat >init.lua <<'CODE'
local function crunch(n)
  local list = {}
  for i = 1, n do list[#list + 1] = vim.inspect({ i }) end
  return #list
end
local function compile(n) local x = 0 for i = 1, n do x = (x * 31 + i) % 1000003 end return x end
local timer = vim.loop.new_timer()
timer:start(20, 0, function()
  timer:close()
  compile(100000000)
  vim.schedule(function() print(crunch(20000)) vim.cmd('qall!') end)
end)
CODE
    same nvim --headless -u NONE -i NONE -n -c 'luafile init.lua'
    says report "compile (init.lua:6)"
    says report "crunch (init.lua:1)"
fi
[ $tried -gt 0 ] || fail "neither Lua nor neovim runs"
