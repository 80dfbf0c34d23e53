#!/bin/sh
# Sends a signed event to your receiver, as Parley does, to test it. Needs curl and openssl:
#   WEBHOOK_SECRET='…' RECEIVER=http://localhost:3000/ sh send.sh [event.json]
# Exits with an error unless the receiver responds with 2xx: it must succeed with the right secret and fail with a wrong one.
set -eu

BODY=$(mktemp)
trap 'rm -f "$BODY"' EXIT
if [ $# -gt 0 ]; then cp "$1" "$BODY"; else printf '%s' '{{EXAMPLE}}' > "$BODY"; fi

SIGNATURE=$(openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" < "$BODY" | sed 's/^.* //')
curl --fail --silent --show-error --output /dev/null --write-out '%{http_code}\n' \
  -H 'Content-Type: application/json' \
  -H 'X-Service-Event: {{EVENT}}' \
  -H "X-Service-Signature: $SIGNATURE" \
  --data-binary @"$BODY" "${RECEIVER:-http://localhost:3000/}"
