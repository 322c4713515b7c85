// Settings: what each one accepts, that all problems are reported at once, and what production requires.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Config, readConfig } from '../../src/config/config.ts';
import type { Problem } from '../../src/config/env-reader.ts';
import { isSecret, type SettingName, settingNames } from '../../src/config/settings.ts';
import { longSecret, settingCases, signingKey } from '../helpers/config/setting-cases.ts';

type Env = Record<string, string>;

const now = Date.UTC(2026, 10, 15);
const production: Env = {
  PUBLIC_URL: 'https://id.example.com',
  SECRET: longSecret,
  SMS_URL: 'twilio://SID:TOKEN@?from=+15550100',
  MAIL_URL: 'smtp://mail.example.com',
  MAIL_FROM: 'id@example.com',
};

/** Settings that another one requires. */
function neededBy(name: SettingName): Env {
  if (name === 'MAIL_URL') return { MAIL_FROM: 'id@example.com' };
  return name === 'WEBHOOK_URL' ? { WEBHOOK_SECRET: signingKey } : {};
}

type ReadFile = (path: string) => string;

const noFile: ReadFile = (path) => assert.fail(`reads ${path}`);

function accept(env: Env, readFile = noFile): Config {
  const result = readConfig(env, now, readFile);
  return 'config' in result ? result.config : assert.fail(JSON.stringify(result.problems));
}

function refuse(env: Env, readFile = noFile): Problem[] {
  const result = readConfig(env, now, readFile);
  return 'problems' in result ? result.problems : assert.fail(`accepts ${JSON.stringify(env)}`);
}

const namesOf = (problems: readonly Problem[]) => problems.map(({ name }) => name);
const without = (env: Env, name: string) => Object.fromEntries(Object.entries(env).filter(([key]) => key !== name));

describe('each setting', () => {
  for (const name of settingNames) {
    const { good, bad, read } = settingCases[name];
    const rest = neededBy(name);

    it(`the setting ${name} accepts its valid values`, () => {
      for (const [text, value] of Object.entries(good))
        assert.deepEqual(read(accept({ ...rest, [name]: text })), value, text);
    });

    it(`the setting ${name} refuses its invalid values, each with a cure and without repeating a secret`, () => {
      for (const text of bad) {
        const problems = refuse({ ...rest, [name]: text });
        assert.deepEqual(namesOf(problems), [name], text);
        const [{ trouble, cure } = assert.fail()] = problems;
        assert.ok(trouble !== '' && /^(write|did|keep|check)/.test(cure), cure);
        if (isSecret(name)) assert.ok(!trouble.includes(text) || text.length < 6, trouble);
      }
    });

    it(`the setting ${name} counts as unset when it is empty or blank`, () => {
      assert.deepEqual(accept({ [name]: '' }), accept({}));
      assert.deepEqual(accept({ [name]: '  ' }), accept({}));
    });
  }

  it('every setting takes its documented default when nothing is set', () => {
    const config = accept({});
    assert.equal(config.mode, 'local');
    assert.deepEqual(config.listen, { host: '127.0.0.1', port: 8080, metricsPort: 9464, workers: 1 });
    assert.equal(config.publicUrl, 'http://localhost:8080');
    assert.equal(accept({ PORT: '9000' }).loginLinkUrl, 'http://localhost:9000/login/link');
    assert.deepEqual(config.sends.sms, { resendAfterSeconds: [], perRecipient: [], perIp: [] });
    assert.deepEqual([config.requestsPerIp, config.captcha.scheme], [[], 'open']);
    assert.deepEqual([config.otp.sms.lifeSeconds, config.otp.sms.capSeconds], [300, 600]);
    assert.deepEqual([config.otp.mail.lifeSeconds, config.otp.mail.capSeconds], [600, 900]);
    const { sends, requestsPerIp, captcha, brake } = accept(production);
    assert.deepEqual(sends.sms.resendAfterSeconds, [30, 60, 120, 300]);
    assert.deepEqual(requestsPerIp, [{ count: 600, windowSeconds: 60 }]);
    assert.deepEqual([captcha.scheme, brake.perDay, brake.perCountryPerDay], ['altcha', 5000, 1000]);
  });

  it('the config is frozen once it is read', () => {
    assert.ok(Object.isFrozen(accept({})));
  });
});

describe('secrets in files', () => {
  const secrets = settingNames.filter(isSecret);
  const goodValue = (name: SettingName) => Object.keys(settingCases[name].good)[0] ?? '';

  for (const name of secrets) {
    const rest = neededBy(name);

    it(`the setting ${name} is read from the file that ${name}_FILE names`, () => {
      const read = (path: string) => (path === '/run/x' ? ` ${goodValue(name)}\n` : assert.fail(path));
      const value = settingCases[name].read(accept({ ...rest, [`${name}_FILE`]: '/run/x' }, read));
      assert.deepEqual(value, Object.values(settingCases[name].good)[0]);
    });

    it(`the setting ${name} is refused when it is set twice, or its file is missing or empty`, () => {
      const twice = refuse({ ...rest, [name]: goodValue(name), [`${name}_FILE`]: '/run/x' }, () => 'other');
      assert.deepEqual(namesOf(twice), [name]);
      assert.match(twice[0]?.trouble ?? '', /set twice/);
      const missing = refuse({ ...rest, [`${name}_FILE`]: '/run/x' }, () => assert.fail());
      const empty = refuse({ ...rest, [`${name}_FILE`]: '/run/x' }, () => '\n');
      assert.deepEqual([namesOf(missing), namesOf(empty)], [[`${name}_FILE`], [`${name}_FILE`]]);
    });
  }

  it('an unreadable secret file is reported once in production, and nothing else about its setting', () => {
    for (const name of ['SECRET', 'SMS_URL', 'MAIL_URL']) {
      const env = { ...without(production, name), [`${name}_FILE`]: '/run/x' };
      assert.deepEqual(namesOf(refuse(env, () => assert.fail())), [`${name}_FILE`]);
    }
  });

  it('a problem never shows the value of a secret', () => {
    const value = 'hunter2-hunter2';
    const problems = refuse(Object.fromEntries(secrets.map((name) => [name, value])));
    assert.ok(problems.length >= secrets.length - 1);
    assert.ok(!JSON.stringify(problems).includes(value));
    const fromFiles = refuse(Object.fromEntries(secrets.map((name) => [`${name}_FILE`, '/run/x'])), () => value);
    assert.ok(!JSON.stringify(fromFiles).includes(value));
  });
});

describe('production', () => {
  it('production starts with exactly the required settings and no warning', () => {
    const config = accept(production);
    assert.deepEqual([config.mode, config.warnings], ['production', []]);
  });

  it('production requires the secret, the providers and the sender, and reports all missing ones at once', () => {
    for (const name of ['SECRET', 'SMS_URL', 'MAIL_URL', 'MAIL_FROM']) {
      assert.deepEqual(namesOf(refuse(without(production, name))), [name]);
    }
    const all = refuse({ PUBLIC_URL: 'https://id.example.com' });
    assert.deepEqual(namesOf(all).sort(), ['MAIL_FROM', 'MAIL_URL', 'SECRET', 'SMS_URL']);
  });

  it('production refuses a secret that can be guessed, in the setting or in a file, without telling it', () => {
    const weak = 'change-me-to-a-long-random-text-please';
    for (const name of ['SECRET', 'SECRET_PREVIOUS'] as const) {
      const inFile = { ...without(production, name), [`${name}_FILE`]: '/secret' };
      for (const problems of [refuse({ ...production, [name]: weak }), refuse(inFile, () => `${weak}\n`)]) {
        const [problem] = problems;
        assert.deepEqual([problems.length, problem?.name.replace('_FILE', '')], [1, name]);
        assert.match(problem?.cure ?? '', /openssl rand -base64 48/);
        // A previous secret cannot be chosen anew: what was made with it has it.
        assert.equal(/^leave it out/.test(problem?.cure ?? ''), name === 'SECRET_PREVIOUS');
        assert.ok(!JSON.stringify(problems).includes(weak));
      }
      assert.equal(accept({ [name]: weak })[name === 'SECRET' ? 'secret' : 'previousSecret'], weak, 'in local mode');
    }
  });

  it('production refuses providers that are meant for local work only, also as the last of several', () => {
    const insecure = [
      ['SMS_URL', 'inbox:'],
      ['SMS_URL', 'twilio://SID:TOKEN@?from=1 inbox:'],
      ['MAIL_URL', 'inbox:'],
      ['CAPTCHA_URL', 'open:'],
    ] as const;
    for (const [name, value] of insecure) {
      const [problem] = refuse({ ...production, [name]: value });
      assert.deepEqual([problem?.name, problem?.trouble], [name, 'is refused in production']);
    }
  });

  it('a SPOOL_LIMIT below the largest upload is warned about', () => {
    assert.match(accept({ SPOOL_LIMIT: '1kb' }).warnings.join(), /SPOOL_LIMIT is less than the largest upload/);
    assert.deepEqual(accept({ SPOOL_LIMIT: '6GiB' }).warnings, []);
  });

  it('ALLOW_INSECURE lets local providers run in production with a warning for each, but never without a secret', () => {
    const env = { PUBLIC_URL: 'https://id.example.com', CAPTCHA_URL: 'open:', ALLOW_INSECURE: '1' };
    const { warnings } = accept({ ...env, SECRET: longSecret });
    assert.deepEqual(
      warnings.map((warning) => warning.split(' ')[0]),
      ['SMS_URL', 'MAIL_URL', 'CAPTCHA_URL'],
    );
    assert.deepEqual(namesOf(refuse(env)), ['SECRET']);
  });

  it('production warns about every connection in plain text, and not about secured or local ones', () => {
    const plain: Env[] = [
      { MAIL_URL: 'smtp://ann:pw@mail.example.com?tls=off' },
      { SMS_URL: 'webhook+http://sms:8080/?tls=off' },
      { SMS_URL: 'twilio://SID:TOKEN@?from=1&tls=0' },
      { CAPTCHA_URL: 'turnstile://SITE:WORD?verify=http://captcha.example.com/' },
      { WEBHOOK_URL: 'http://app.example.com/hooks', WEBHOOK_SECRET: signingKey },
      { STORAGE_URL: 's3://KEY:WORD@s3:8333/bucket?tls=0' },
      { DATABASE_URL: 'postgres://ann:pw@db.example.com/name' },
      { DATABASE_URL: 'postgres://ann:pw@127.0.0.1,db.example.com/name?sslmode=prefer' },
    ];
    for (const env of plain) {
      const [name = ''] = Object.keys(env);
      const { warnings } = accept({ ...production, ...env });
      assert.match(warnings.join(), new RegExp(`^${name} sends .* in plain text`), JSON.stringify(env));
      assert.doesNotMatch(warnings.join(), /pw|TOKEN|WORD/);
    }
    const secured: Env[] = [
      { MAIL_URL: 'smtp://127.0.0.1:25?tls=off' },
      { SMS_URL: 'webhook+http://localhost:9/' },
      { CAPTCHA_URL: 'turnstile://SITE:WORD?verify=http://127.0.0.1/' },
      { WEBHOOK_URL: 'http://[::1]:9/hooks', WEBHOOK_SECRET: signingKey },
      { STORAGE_URL: 's3://KEY:WORD@127.0.0.1:8333/bucket?tls=0' },
      { DATABASE_URL: 'postgres://ann:pw@db.example.com/name?sslmode=verify-full' },
      { DATABASE_URL: 'postgres://ann:pw@localhost/name' },
    ];
    for (const env of secured) assert.deepEqual(accept({ ...production, ...env }).warnings, [], JSON.stringify(env));
  });

  it('a port in the environment that DATABASE_URL would take must be one', () => {
    const DATABASE_URL = 'postgres://ann:pw@db/name';
    for (const PGPORT of ['x', '99999']) assert.deepEqual(namesOf(refuse({ DATABASE_URL, PGPORT })), ['PGPORT']);
    assert.equal(
      accept({ DATABASE_URL: 'postgres://ann:pw@db:1/name', PGPORT: 'x' }).databaseUrl?.includes(':1/'),
      true,
    );
    assert.equal(accept({ PGPORT: 'x' }).databaseUrl, undefined);
  });

  it('local mode warns when HOST makes the service reachable from other machines', () => {
    for (const HOST of ['127.0.0.1', '127.0.0.2', '::1', 'localhost']) assert.deepEqual(accept({ HOST }).warnings, []);
    for (const HOST of ['0.0.0.0', '::', '192.168.0.7', 'gatehouse'])
      assert.match(accept({ HOST }).warnings.join(), new RegExp(`^HOST=${HOST} .*sign in as anyone`), HOST);
    assert.deepEqual(accept({ ...production, HOST: '0.0.0.0' }).warnings, []);
  });

  it('a PUBLIC_URL that is not a loopback URL means production', () => {
    const local = [
      'http://localhost:1',
      'http://app.localhost',
      'http://127.0.0.1',
      'http://127.9.9.9',
      'http://[::1]',
    ];
    for (const url of local) assert.equal(accept({ PUBLIC_URL: url }).mode, 'local', url);
    const remote = ['http://0.0.0.0', 'http://localhost.example.com', 'http://10.0.0.1', 'http://127.0.0.1.nip.io'];
    for (const url of remote) assert.equal(accept({ ...production, PUBLIC_URL: url }).mode, 'production', url);
  });
});

describe('problems and warnings', () => {
  it('all configuration problems are reported at once, each with its cure', () => {
    const env = { PORT: 'x', OTP_SMS_LIFE: '5', SMS_ULR: 'inbox:', LIMIT_SENDS_PER_IP: '5', SECRET: 'short' };
    const problems = refuse(env);
    assert.deepEqual(namesOf(problems).sort(), Object.keys(env).sort());
    for (const { cure } of problems) assert.ok(cure.length > 5);
  });

  it('a metrics port equal to the port is reported as a problem', () => {
    assert.deepEqual(namesOf(refuse({ PORT: '9464' })), ['METRICS_PORT']);
    assert.equal(accept({ PORT: '9464', METRICS_PORT: 'off' }).listen.metricsPort, undefined);
  });

  it('every fault of a purposes file is reported, and so is an unreadable file', () => {
    const purpose = { name: 'A', types: ['toString'], maxBytes: 0, readableBy: 'all', served: 'raw' };
    const problems = refuse({ PURPOSES_FILE: '/p.json' }, () => JSON.stringify([purpose]));
    assert.deepEqual(new Set(namesOf(problems)), new Set(['PURPOSES_FILE']));
    assert.equal(problems.length, 5);
    assert.deepEqual(namesOf(refuse({ PURPOSES_FILE: '/p.json' }, () => assert.fail())), ['PURPOSES_FILE']);
    const fit = { name: 'scan', types: ['application/pdf'], maxBytes: 9, readableBy: 'owner', served: 'inline' };
    assert.deepEqual(accept({ PURPOSES_FILE: '/p.json' }, () => JSON.stringify([fit])).files.purposes, [fit]);
  });

  it('an expired test recipient is ignored with a warning', () => {
    const env = { TEST_RECIPIENTS: '+15550100001=000000@2026-11-15,+15550100002=000000@2026-11-16' };
    const { testRecipients, warnings } = accept(env);
    assert.deepEqual(
      testRecipients.map(({ recipient }) => recipient),
      ['+15550100002'],
    );
    assert.deepEqual(warnings.length, 1);
    assert.match(warnings[0] ?? '', /2026-11-15/);
    assert.ok(!warnings[0]?.includes('000000'));
  });
});
