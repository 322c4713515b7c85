#!/usr/bin/env bash
# Uploads a file in parts with curl. Run it again after an interruption, and it goes on where the upload is.
# Usage: TOKEN=eyJ… bash resume.sh http://localhost:8080 film.mp4 video
# PART is the size of a part in bytes. Keep it below the limit of the proxy in front of the service.
set -euo pipefail

BASE=$1 FILE=$2 PURPOSE=$3
PART=${PART:-50000000}
STOP_AFTER=${STOP_AFTER:-0}
STATE=$FILE.upload
SIZE=$(wc -c < "$FILE" | tr -d ' ')
NAME=$(basename "$FILE")

# ask METHOD URL [curl arguments]: keeps the headers of the answer in $HEAD and its body in $BODY.
HEAD=$(mktemp) BODY=$(mktemp)
trap 'rm -f "$HEAD" "$BODY"' EXIT
ask() {
  local method=$1 url=$2
  shift 2
  curl -sS -X "$method" "$url" -H "Authorization: Bearer $TOKEN" -D "$HEAD" -o "$BODY" -w '%{http_code}' "$@"
}

# header NAME: the value of that header in the last answer.
header() { sed -n "s/^$1: *//Ip" "$HEAD" | tr -d '\r' | tail -n 1; }

# The address of an upload that was interrupted is in a file beside the file.
OFFSET=
if [ -s "$STATE" ]; then
  if [ "$(ask HEAD "$(cat "$STATE")" --head)" = 200 ]; then OFFSET=$(header upload-offset); fi
  if [ -n "$OFFSET" ]; then echo "Going on at byte $OFFSET"; else rm -f "$STATE"; fi
fi
if [ -z "$OFFSET" ]; then
  STATUS=$(ask POST "$BASE/api/file/upload" -G --data-urlencode "purpose=$PURPOSE" --data-urlencode "name=$NAME" \
    -H 'Upload-Complete: ?0' -H "Upload-Length: $SIZE" -H 'Content-Length: 0')
  if [ "$STATUS" != 201 ]; then cat "$BODY"; exit 1; fi
  echo "$BASE$(header location)" > "$STATE"
  OFFSET=0
fi

PARTS=0
while :; do
  if [ "$STOP_AFTER" != 0 ] && [ "$PARTS" = "$STOP_AFTER" ]; then exit 130; fi
  LAST='?0'
  if [ $((OFFSET + PART)) -ge "$SIZE" ]; then LAST='?1'; fi
  STATUS=$(tail -c "+$((OFFSET + 1))" "$FILE" | { head -c "$PART"; cat > /dev/null; } | ask PATCH "$(cat "$STATE")" --data-binary @- \
    -H 'Content-Type: application/partial-upload' -H "Upload-Offset: $OFFSET" -H "Upload-Complete: $LAST") || STATUS=000
  case $STATUS in
    200) OFFSET=$(header upload-offset) PARTS=$((PARTS + 1)) ;;
    201) break ;;
    # The connection broke, the offset was wrong, or the service cannot answer now: it knows where to go on.
    000 | 409 | 5*) sleep 1; ask HEAD "$(cat "$STATE")" --head > /dev/null || true
      FOUND=$(header upload-offset); OFFSET=${FOUND:-$OFFSET} ;;
    *) cat "$BODY"; rm -f "$STATE"; exit 1 ;;
  esac
done
rm -f "$STATE"
cat "$BODY"
echo
