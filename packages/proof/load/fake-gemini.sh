#!/bin/sh
# Stands for Gemini CLI under load: cheap to start, so that what is measured is the server.
# The question holds `load-TENANT-NUMBER-rROUNDS-mMILLISECONDS-DOING`. Each run writes a line `start` and a line `end`
# into the log, and a line `- round N of … by PID` below those of the rounds before it into its report.
log="${0%/*}/../runs.log"
case "${1:-}" in --version | -v) echo "0.50.0"; exit 0 ;; esac

read -r mark round rounds ms doing before <<PROMPT
$(awk '
  !mark && match($0, /load-[a-z0-9]+-[0-9]+-r[0-9]+-m[0-9]+-[a-z]+/) {
    mark = substr($0, RSTART, RLENGTH); n = split(mark, part, "-")
    rounds = substr(part[4], 2); ms = substr(part[5], 2); doing = part[6]
  }
  !round && /^# Verify and update a research report: round / { round = $9 + 0 }
  /^<\/current-result-/ { inside = 0 }
  inside && /^- round [0-9]+ of / { before = before $3 ":" $7 "," }
  /^<current-result-/ { inside = 1 }
  END { print mark ? mark : "none", round ? round : 1, rounds + 0, ms + 0, doing ? doing : "answer", before }
')
PROMPT

note() { echo "$1 $$ $(date +%s%3N) ${LC_PROOF##*.} $mark $round" >>"$log"; }
say() { printf '%s\n' "$1"; }
note start
say '{"type":"init","session_id":"fake","model":"gemini-2.5-flash"}'
say '{"type":"tool_use","tool_name":"google_web_search","tool_id":"1","parameters":{"query":"tides"}}'
if [ "$doing" = hang ]; then
  sleep 600 &
  echo "child $! $(date +%s%3N) ${LC_PROOF##*.} $mark $round" >>"$log"
  wait
fi
sleep "$((ms / 1000)).$(printf %03d $((ms % 1000)))"
say '{"type":"tool_result","tool_id":"1","status":"success","output":"Search results returned."}'

line='\\n'
q='\"'
report="# Tides of $mark$line"
IFS=,
pad=""
[ "$doing" = large ] && pad="$(head -c 3750000 /dev/urandom | base64 -w 600 | sed 's/$/\\\\n\\\\n/' | tr -d '\n')"
for each in $before "$round:$$"; do report="$report$line- round ${each%%:*} of $mark by ${each#*:}"; done
verified=false
[ "$round" -ge "$rounds" ] && [ "$round" -ge 2 ] && verified=true
url="https://example.org/$mark"
answer="{${q}success${q}:true,${q}verified${q}:$verified,${q}report${q}:${q}$report$line$pad${q},"
answer="$answer${q}metadata${q}:{${q}sources_visited${q}:[${q}$url${q}],${q}search_queries_used${q}:[${q}tides${q}]}}"
note end
say "{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"\`\`\`json\\n$answer\\n\`\`\`\",\"delta\":true}"
say '{"type":"result","status":"success","stats":{}}'
