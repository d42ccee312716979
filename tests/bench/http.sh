#!/bin/sh
# A cached page against nginx sending the same bytes from disk: requests a second by wrk
# with kept connections, in turns, medians of RUNS (5) of SECONDS (3) each. Prints
# {"ours": ..., "peer": ...}. Needs build/bench/http, nginx and wrk.
set -eu
cd "$(dirname "$0")/../.."
runs=${RUNS:-5} seconds=${SECONDS_EACH:-3}
make -s MODE=release build/bench/http >&2
folder=$(mktemp -d)
trap 'exec 9>&- || :; [ -f "$folder/nginx.pid" ] && kill "$(cat "$folder/nginx.pid")"; rm -rf "$folder"' EXIT
chmod 755 "$folder"
mkdir -p "$folder/root/en"

# A page of about 9 KB, like a list of publications.
awk 'BEGIN {
    print "<!doctype html><html lang=\"en\"><head><title>Publications</title></head><body>"
    for (i = 1; i <= 50; i++)
        printf "<article><h2><a href=\"/en/publications/work-%d\">A work of number %d</a></h2><p>Lin Xiao, Ada Writer, %d. <cite>Proceedings, volume %d</cite></p></article>\n", i, i * 7919 % 1009, 2000 + i % 24, i * 31 % 97
    print "</body></html>" }' > "$folder/root/en/page"

mkfifo "$folder/in"
build/bench/http "$folder/root/en/page" < "$folder/in" > "$folder/port" &
exec 9> "$folder/in"
peer_port=${PEER_PORT:-18991}
cat > "$folder/nginx.conf" <<END
worker_processes 2;
pid $folder/nginx.pid;
error_log $folder/error.log;
events { worker_connections 1024; }
http {
    access_log off; sendfile on; tcp_nopush on; open_file_cache max=100; keepalive_requests 1000000000;
    default_type text/html; client_body_temp_path $folder/body; proxy_temp_path $folder/proxy;
    fastcgi_temp_path $folder/fastcgi; uwsgi_temp_path $folder/uwsgi; scgi_temp_path $folder/scgi;
    server { listen 127.0.0.1:$peer_port; root $folder/root; }
}
END
nginx -c "$folder/nginx.conf"
while [ ! -s "$folder/port" ]; do sleep 0.05; done
ours="http://127.0.0.1:$(cat "$folder/port")/en/page"
peer="http://127.0.0.1:$peer_port/en/page"
curl -sf "$ours" | cmp -s - "$folder/root/en/page" || { echo 'http: our bytes differ' >&2; exit 1; }
curl -sf "$peer" | cmp -s - "$folder/root/en/page" || { echo 'http: nginx bytes differ' >&2; exit 1; }

measure() {
    wrk -t1 -c32 -d"${seconds}s" "$1" | awk '/Requests\/sec/ {print $2} /Non-2xx|Socket errors/ {print "http: " $0 > "/dev/stderr"}'
}
: > "$folder/ours"
: > "$folder/peer"
for run in $(seq "$runs"); do
    measure "$ours" >> "$folder/ours"
    measure "$peer" >> "$folder/peer"
done
median() { sort -n "$1" | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }
printf '{"ours": %s, "peer": %s}\n' "$(median "$folder/ours")" "$(median "$folder/peer")"
