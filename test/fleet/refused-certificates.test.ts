/** A store whose certificate is not accepted ends the start, with the reason; so does one that accepts none of the client. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo, Server } from 'node:net';
import { createServer } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { isCertificateFault, queueWords, StoreRefused } from '#src/fleet/store-errors.js';
import { join, newFleetName } from '../support/fleet.ts';

const fixture = (name: string) => readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url));
/** Of 127.0.0.1, signed by itself. */
const OWN = { key: fixture('key.pem'), cert: fixture('certificate.pem') };

/** A Redis behind TLS. */
const redis = () => createServer(OWN).on('tlsClientError', () => {});
let server: Server | undefined;
afterEach(() => server?.close());

async function listening(made: Server): Promise<number> {
  server = made.listen(0, '127.0.0.1');
  await once(made, 'listening');
  return (made.address() as AddressInfo).port;
}

describe('A start of a fleet', () => {
  it('fails where the certificate is signed by itself, and says how to accept it', async () => {
    const opened = join(`rediss://user:a-secret@127.0.0.1:${await listening(redis())}`, newFleetName());
    // Node 24 adds a hint of its own to the reason.
    await expect(opened).rejects.toThrow(
      /^REDIS_URL: The connection to the store of the fleet fails for a certificate: self-signed certificate(; if the root CA [^;]*)?; NODE_EXTRA_CA_CERTS names a file with the certificate of its CA$/,
    );
  });
});

describe('A fault of a certificate', () => {
  const fault = (code: string) => Object.assign(new Error('m'), { code });

  it.each([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', true],
    ['SELF_SIGNED_CERT_IN_CHAIN', true],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', true],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', true],
    ['CERT_HAS_EXPIRED', false],
    ['HOSTNAME_MISMATCH', false],
    ['INVALID_CA', false],
    ['INVALID_PURPOSE', false],
    ['PATH_LENGTH_EXCEEDED', false],
    ['ERR_TLS_CERT_ALTNAME_INVALID', false],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', false],
  ])('is %s, which NODE_EXTRA_CA_CERTS can mend: %s', (code, mends) => {
    const error = fault(code);
    expect(isCertificateFault(error)).toBe(true);
    const words = 'The connection to the store of the fleet fails for a certificate';
    expect(queueWords(error)).toBe(`${words}; parts wait until it does`);
    const refused = new StoreRefused(error);
    expect(refused.words.startsWith(`${words}: m`)).toBe(true);
    expect(refused.words.includes('NODE_EXTRA_CA_CERTS')).toBe(mends);
  });

  it.each(['ECONNREFUSED', 'ECONNRESET', 'ERR_SSL_WRONG_VERSION_NUMBER', 'EPROTO'])('is not %s', code => {
    expect(isCertificateFault(fault(code))).toBe(false);
  });
});
