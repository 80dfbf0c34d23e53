# What docs/api-conventions.md tells clients to do: a request that got no response, or 503, is repeated; a POST with the same
# Idempotency-Key. $RETRIES gets the reason of each repeat.
curl() {
  local key output status url argument attempt
  key=$(cat /proc/sys/kernel/random/uuid)
  output=$(mktemp)
  for argument; do [[ $argument != http* ]] || url=$argument; done
  for attempt in {1..300}; do
    if status=$(command curl -m 5 -H "Idempotency-Key: $key" -w '%{stderr}%{http_code}' "$@" 2>&1 >"$output"); then
      if [ "$status" = 412 ] && [ "$attempt" -gt 1 ]; then
        # The request whose response was lost has perhaps made this change.
        echo 412 >>"$RETRIES"
        command curl -s "$url" -H "Authorization: Bearer $TOKEN"
        return
      fi
      if [ "$status" != 503 ]; then
        cat "$output"
        return
      fi
    else
      status='no response'
    fi
    echo "$status" >>"$RETRIES"
    sleep 0.2
  done
  # The whole tour ends, also where it waits for a result: the test can have ended before it.
  echo "No response to $url" >&2
  kill $$
}
