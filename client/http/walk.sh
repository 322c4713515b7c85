#!/bin/sh
# Makes every call of a Gatehouse in local mode with curl, and stops at the first call that fails.
# Usage: sh walk.sh [http://localhost:8080]
# With a service key in KEY it also makes the calls of a back end: KEY=gks_… sh walk.sh
set -eu

BASE=${1:-http://localhost:8080}
PHONE=${PHONE:-+12025550123}
NEW_PHONE=${NEW_PHONE:-+12025550124}
EMAIL=${EMAIL:-ann@example.com}
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

# call METHOD PATH [curl arguments]: prints the response and keeps it in $ANSWER.
call() {
  method=$1 path=$2
  shift 2
  ANSWER=$(curl -sS -X "$method" "$BASE$path" "$@")
  printf '%s %s\n  %s\n' "$method" "$path" "$ANSWER"
  case $ANSWER in '{"success":true'*) ;; *) exit 1 ;; esac
}

# send METHOD PATH JSON [curl arguments]: the same with a JSON body.
send() {
  method=$1 path=$2 body=$3
  shift 3
  call "$method" "$path" -H 'content-type: application/json' -d "$body" "$@"
}

# field NAME: prints the text field of that name from the last response.
field() { printf '%s' "$ANSWER" | sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }

# The newest message of an earlier run.
LAST=$(curl -sS "$BASE/api/inbox" | sed -n 's/^[^[]*\[{"id":"\([^"]*\)".*/\1/p')

# inbox RECIPIENT PATTERN: waits for a message of this run that matches the pattern, and prints the first group of the newest.
inbox() {
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    found=$(curl -sS "$BASE/api/inbox?after=$LAST" | sed 's/},{"id"/}\
{"id"/g' | grep -F "\"to\":\"$1\"" | sed -n "s/.*$2.*/\1/p" | head -n 1)
    if [ -n "$found" ]; then printf '%s' "$found"; return; fi
    sleep 0.3
  done
  exit 1
}

bearer() { printf 'Authorization: Bearer %s' "$JWT"; }

# In local mode any captcha token passes. Otherwise solve the challenge and set CAPTCHA to the token.
curl -sS "$BASE/api/auth/captcha/challenge"; echo
CAPTCHA=${CAPTCHA:-local}

send POST /api/auth/phone/send/otp "{\"recipient\":\"$PHONE\"}" -H "captcha-token: $CAPTCHA"
CODE=$(inbox "$PHONE" '#\([0-9]\{6\}\)')
send POST /api/auth/phone/login "{\"phone\":\"$PHONE\",\"otp\":\"$CODE\"}"
JWT=$(field JWT) RT=$(field RT)

call POST /api/auth/refresh-token -H "RT: $RT"
JWT=$(field JWT) RT=$(field RT)
call GET /api/auth/me -H "$(bearer)"

send POST /api/auth/email/send/otp "{\"recipient\":\"$EMAIL\"}" -H "$(bearer)" -H "captcha-token: $CAPTCHA"
CODE=$(inbox "$EMAIL" '"subject":"\([0-9]\{6\}\)')
send PUT /api/auth/email/add "{\"email\":\"$EMAIL\",\"otp\":\"$CODE\"}" -H "$(bearer)"

# The user has signed in by SMS, so the number changes at once. After a link or a code by e-mail it changes after a wait.
send POST /api/auth/phone/change/send "{\"recipient\":\"$NEW_PHONE\"}" -H "$(bearer)" -H "captcha-token: $CAPTCHA"
CODE=$(inbox "$NEW_PHONE" '#\([0-9]\{6\}\)')
send PUT /api/auth/phone/change "{\"phone\":\"$NEW_PHONE\",\"otp\":\"$CODE\"}" -H "$(bearer)"

# Calls that need a recent sign-in ask for this after ten minutes.
send POST /api/auth/proof/send '{"via":"email"}' -H "$(bearer)" -H "captcha-token: $CAPTCHA"
CODE=$(inbox "$EMAIL" 'confirm that it is you[^"]*\\n\\n\([0-9]\{6\}\)')
send POST /api/auth/proof "{\"otp\":\"$CODE\"}" -H "$(bearer)" -H "RT: $RT"
JWT=$(field JWT) RT=$(field RT)

send POST /api/auth/email/send/login-link "{\"recipient\":\"$EMAIL\"}" -H "captcha-token: $CAPTCHA"
LINK=$(inbox "$EMAIL" 'login\/link#\([A-Za-z0-9_-]\{43\}\)')
send POST /api/auth/email/link/check "{\"token\":\"$LINK\"}"
send POST /api/auth/email/login "{\"token\":\"$LINK\"}"

# No change of the number is scheduled, so the first response has no data and the second changes nothing.
call GET /api/auth/phone/change -H "$(bearer)"
call DELETE /api/auth/phone/change -H "$(bearer)"

# A sign-in that fails with PHONE_NEEDS_PROOF has a ticket in the header proof-ticket. This one is made up: PROOF_TICKET_INVALID.
curl -sS -X POST "$BASE/api/auth/phone/claim" -H 'content-type: application/json' -d '{"ticket":"made-up"}'; echo

# The sign-in page of an app has a ticket. This one is made up: AUTHORIZATION_EXPIRED.
curl -sS -X POST "$BASE/api/auth/apps/consent" -H "$(bearer)" -H 'content-type: application/json' -d '{"ticket":"made-up"}'; echo

call DELETE /api/auth/email -H "$(bearer)"
# The link of a notice ends every session. This token is made up, so the sessions continue and the response is LINK_INVALID.
curl -sS -X POST "$BASE/api/auth/not-me" -H 'content-type: application/json' -d '{"token":"made-up"}'; echo

call GET /api/file/purposes -H "$(bearer)"
printf 'name,age\nann,41\n' > "$WORK/people.csv"
call POST /api/file/upload -H "$(bearer)" -H "Idempotency-Key: walk-$$" \
  -F 'file=@'"$WORK"'/people.csv;type=text/csv' -F purpose=document
ID=$(field id)
call GET /api/file -H "$(bearer)"
call GET "/api/file/$ID" -H "$(bearer)"
curl -sS --fail "$BASE/file/$ID" -H "$(bearer)" | cmp - "$WORK/people.csv"
send POST "/api/file/$ID/links" '{"expiresIn":3600,"uses":1}' -H "$(bearer)"
LINK=$(field id)
# Whoever has the link opens the file.
curl -sS --fail "$(field url)" | cmp - "$WORK/people.csv"
call GET "/api/file/$ID/links" -H "$(bearer)"
call DELETE "/api/file/$ID/links/$LINK" -H "$(bearer)"
call DELETE "/api/file/$ID/links" -H "$(bearer)"
send PUT "/api/file/$ID/readers" '{"users":[]}' -H "$(bearer)"
call GET "/api/file/$ID/readers" -H "$(bearer)"
call DELETE "/api/file/$ID" -H "$(bearer)"
call GET /api/file/trash -H "$(bearer)"
call POST "/api/file/$ID/restore" -H "$(bearer)"
call DELETE "/api/file/$ID" -H "$(bearer)"
call DELETE "/api/file/trash/$ID" -H "$(bearer)"
call DELETE /api/file/trash -H "$(bearer)"

# An upload in several requests: it goes on where the answer to HEAD or GET says.
curl -sS -X OPTIONS "$BASE/api/file/upload" -D - -o "$WORK/none" | grep -i '^upload-limit'
call POST '/api/file/upload?purpose=document&name=people.csv' -H "$(bearer)" \
  -H 'Upload-Complete: ?0' -H 'Upload-Length: 16' -H 'content-type: text/csv'
UPLOAD=$(field id)
head -c 9 "$WORK/people.csv" | call PATCH "/api/file/upload/$UPLOAD" -H "$(bearer)" \
  -H 'content-type: application/partial-upload' -H 'Upload-Offset: 0' -H 'Upload-Complete: ?0' --data-binary @-
call GET "/api/file/upload/$UPLOAD" -H "$(bearer)"
tail -c +10 "$WORK/people.csv" > "$WORK/rest"
call PATCH "/api/file/upload/$UPLOAD" -H "$(bearer)" \
  -H 'content-type: application/partial-upload' -H 'Upload-Offset: 9' -H 'Upload-Complete: ?1' --data-binary @"$WORK/rest"
call POST '/api/file/upload?purpose=document' -H "$(bearer)" -H 'Upload-Complete: ?0'
UPLOAD=$(field id)
call DELETE "/api/file/upload/$UPLOAD" -H "$(bearer)"

call GET /api/auth/sessions -H "$(bearer)"
OTHER=$(printf '%s' "$ANSWER" | sed -n 's/.*"id":"\([^"]*\)"[^}]*"current":false.*/\1/p')
call DELETE "/api/auth/sessions/$OTHER" -H "$(bearer)"
call GET /api/auth/apps -H "$(bearer)"
APP=shop
call DELETE "/api/auth/apps/$APP" -H "$(bearer)"
send POST /api/auth/logout '{"scope":"others"}' -H "$(bearer)"

# The calls of a back end.
if [ -n "${KEY:-}" ]; then
  with_key() { printf 'Authorization: Bearer %s' "$KEY"; }
  call GET '/api/service/users?limit=10' -H "$(with_key)"
  send POST /api/service/users/find "{\"phone\":\"$NEW_PHONE\"}" -H "$(with_key)"
  USER_ID=$(field id)
  call GET "/api/service/users/$USER_ID" -H "$(with_key)"
  send PATCH "/api/service/users/$USER_ID" '{"claims":{"plan":"pro"}}' -H "$(with_key)"
  call GET "/api/service/users/$USER_ID/sessions" -H "$(with_key)"
  send POST /api/service/tokens/check "{\"token\":\"$JWT\"}" -H "$(with_key)"
  call POST "/api/service/files?user=$USER_ID&purpose=document&name=people.csv" -H "$(with_key)" \
    -H 'content-type: text/csv' --data-binary @"$WORK/people.csv"
  ID=$(field id)
  call GET "/api/service/users/$USER_ID/files" -H "$(with_key)"
  call GET "/api/service/files/$ID" -H "$(with_key)"
  curl -sS --fail "$BASE/api/service/files/$ID/content" -H "$(with_key)" | cmp - "$WORK/people.csv"
  call DELETE "/api/service/files/$ID" -H "$(with_key)"
  call GET '/api/service/events?limit=10' -H "$(with_key)"
  call POST "/api/service/users/$USER_ID/sessions/end" -H "$(with_key)"
  send POST "/api/service/users/$USER_ID/block" '{"reason":"a walk"}' -H "$(with_key)"
  call POST "/api/service/users/$USER_ID/unblock" -H "$(with_key)"
  call DELETE "/api/service/users/$USER_ID" -H "$(with_key)"
else
  call DELETE /api/auth/me -H "$(bearer)"
fi
echo 'Every call answered.'
