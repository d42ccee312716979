-- wrk: each thread is one member, who types on in one section. What a save answers goes
-- into the next one, as static/answer.js does it. `users` (one a line: cookie, tab, body
-- without "-seen" and the last field, tab, that field's name) is the last argument.

local threads = 0

function setup(thread)
    thread:set("number", threads)
    threads = threads + 1
end

function init(args)
    local line = 0
    for text in io.lines(args[1]) do
        if line == number then cookie, body, field = text:match("([^\t]*)\t([^\t]*)\t([^\t]*)") end
        line = line + 1
    end
    seen, count = args[2] or "", 0
    headers = { ["Cookie"] = cookie, ["Content-Type"] = "application/x-www-form-urlencoded",
        ["Origin"] = wrk.scheme .. "://" .. wrk.host .. ":" .. wrk.port }
end

function request()
    count = count + 1
    return wrk.format("POST", wrk.path, headers, body .. "&-seen=" .. seen .. "&" .. field
        .. "=typed+" .. number .. "+" .. count)
end

function response(status, headers, text)
    if status == 200 then
        seen = text:match('"seen":"([^"]*)"'):gsub(" ", "+"):gsub(":", "%%3A")
    end
end
