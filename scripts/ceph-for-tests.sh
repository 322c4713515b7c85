#!/usr/bin/env bash
# Starts a real S3 server for the tests (Ceph radosgw on loopback, in memory), runs the given command and stops the server.
# Needs (Debian): apt-get install --no-install-recommends ceph-mon ceph-osd radosgw ceph-common
# Use: scripts/ceph-for-tests.sh npx node --test test/adapters/blobs.contract.test.ts
set -euo pipefail

home=$(mktemp -d /tmp/gatehouse-ceph.XXXXXX)
ports=$((20000 + RANDOM % 10000 * 2))
mon_port=$ports
s3_port=$((ports + 1))
export CEPH_CONF="$home/ceph.conf"

cat > "$CEPH_CONF" <<CONF
[global]
fsid = $(cat /proc/sys/kernel/random/uuid)
mon_host = v1:127.0.0.1:$mon_port
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
run_dir = $home
admin_socket = $home/\$name.asok
pid_file = $home/\$name.pid
log_file = $home/\$name.log
crash_dir = $home
mon_data = $home/mon
osd_data = $home/osd
osd_objectstore = memstore
memstore_device_bytes = 4294967296
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 8
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 1000
rgw_data = $home/rgw
rgw_frontends = beast endpoint=127.0.0.1:$s3_port
CONF

daemons=()
finish() {
  for daemon in "${daemons[@]}"; do kill -9 "$daemon" 2> /dev/null || true; done
  wait 2> /dev/null || true
  rm -rf "$home"
}
trap finish EXIT

mkdir "$home/mon" "$home/osd" "$home/rgw"
monmaptool --create --clobber --fsid "$(ceph-conf --lookup fsid)" --addv a "v1:127.0.0.1:$mon_port" "$home/monmap" > /dev/null
ceph-mon --mkfs -i a --monmap "$home/monmap" > /dev/null 2>&1
ceph-mon -f -i a > "$home/mon.out" 2>&1 &
daemons+=($!)
osd=$(cat /proc/sys/kernel/random/uuid)
timeout 30 ceph osd new "$osd" > /dev/null 2>&1
ceph-osd --mkfs -i 0 --osd-uuid "$osd" > "$home/osd.out" 2>&1
ceph-osd -f -i 0 >> "$home/osd.out" 2>&1 &
daemons+=($!)
radosgw -f -n client.rgw > "$home/rgw.out" 2>&1 &
daemons+=($!)
timeout 60 radosgw-admin user create --uid tests --display-name tests --access-key TESTKEY --secret-key test-secret \
  > /dev/null 2>&1
until curl -s -o /dev/null "http://127.0.0.1:$s3_port/"; do sleep 0.1; done
# Without this header curl would use a signature that S3 does not accept.
curl -sf -o /dev/null -X PUT --aws-sigv4 aws:amz:us-east-1:s3 --user TESTKEY:test-secret \
  -H x-amz-content-sha256:UNSIGNED-PAYLOAD "http://127.0.0.1:$s3_port/gatehouse"
TEST_S3_URL="s3://TESTKEY:test-secret@127.0.0.1:$s3_port/gatehouse?region=us-east-1&tls=0" "$@"
