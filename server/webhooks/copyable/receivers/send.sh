#!/bin/sh
# Sends a signed event to your receiver, as Parley would, to try it out. Needs curl and openssl:
#   WEBHOOK_SECRET='…' RECEIVER=http://localhost:3000/ sh send.sh [event.json]
# It fails when the receiver does not answer 2xx: with the right secret it must pass, with a wrong one it must not.
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
