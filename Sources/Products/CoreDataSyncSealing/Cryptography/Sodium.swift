import CSodium
import CoreDataSyncing

/// The functions of libsodium that sealing uses. There is no other cryptography here.
enum Sodium {
    static let keySize = 32
    static let nonceSize = 24
    static let tagSize = 16
    static let signatureSize = 64
    /// What an anonymous box has beside its content.
    static let boxOverhead = 48

    private static let isReady = sodium_init() >= 0

    /// - Throws: `SyncError` with the code `keys` if the library cannot be used.
    static func start() throws {
        guard isReady else {
            throw SyncError(.keys, "libsodium cannot be started.", cure: "Check that the system has random numbers.")
        }
    }

    static func random(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        randombytes_buf(&bytes, count)
        return bytes
    }

    /// The BLAKE2b digest of bytes, with a key if one is given.
    static func hash(_ bytes: some Collection<UInt8>, key: SecretBytes? = nil, count: Int = 32) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: count)
        let bytes = Array(bytes)
        let key = key?.bytes ?? []
        crypto_generichash(&digest, count, bytes, UInt64(bytes.count), key, key.count)
        return digest
    }

    /// A key that is derived from another one, by number.
    static func subkey(_ number: UInt64, of key: SecretBytes) -> SecretBytes {
        var derived = [UInt8](repeating: 0, count: keySize)
        let context = "OCSYSEAL".utf8.map { CChar(bitPattern: $0) }
        crypto_kdf_derive_from_key(&derived, keySize, number, context, key.bytes)
        return SecretBytes(derived)
    }

    // MARK: Authenticated encryption: XChaCha20-Poly1305

    static func encrypt(_ bytes: [UInt8], with context: [UInt8], nonce: [UInt8], key: SecretBytes) -> [UInt8] {
        var sealed = [UInt8](repeating: 0, count: bytes.count + tagSize)
        crypto_aead_xchacha20poly1305_ietf_encrypt(
            &sealed, nil, bytes, UInt64(bytes.count), context, UInt64(context.count), nil, nonce, key.bytes)
        return sealed
    }

    /// - Throws: ``SealFailure`` with `damaged` if a byte of the content, of the context or of the nonce is another one.
    static func decrypt(
        _ sealed: [UInt8], with context: [UInt8], nonce: [UInt8], key: SecretBytes
    ) throws(SealFailure) -> [UInt8] {
        guard sealed.count >= tagSize, nonce.count == nonceSize else { throw .damaged }
        var bytes = [UInt8](repeating: 0, count: sealed.count - tagSize)
        // The address of an empty array would not do for the library.
        var content = bytes.isEmpty ? [0] : bytes
        let result = crypto_aead_xchacha20poly1305_ietf_decrypt(
            &content, nil, nil, sealed, UInt64(sealed.count), context, UInt64(context.count), nonce, key.bytes)
        guard result == 0 else { throw .damaged }
        if !bytes.isEmpty { bytes = content }
        return bytes
    }

    // MARK: Boxes for one receiver

    /// Seals bytes for the holder of a key; who sealed them is not said.
    ///
    /// - Throws: ``SealFailure`` with `damaged` if the key is none.
    static func box(_ bytes: [UInt8], for receiver: [UInt8]) throws(SealFailure) -> [UInt8] {
        var sealed = [UInt8](repeating: 0, count: bytes.count + boxOverhead)
        guard receiver.count == keySize, crypto_box_seal(&sealed, bytes, UInt64(bytes.count), receiver) == 0 else {
            throw .damaged
        }
        return sealed
    }

    /// The bytes that were sealed for this key; nil if they are for another one.
    static func openBox(_ sealed: [UInt8], publicKey: [UInt8], secretKey: SecretBytes) -> [UInt8]? {
        guard sealed.count > boxOverhead else { return nil }
        var bytes = [UInt8](repeating: 0, count: sealed.count - boxOverhead)
        let result = crypto_box_seal_open(&bytes, sealed, UInt64(sealed.count), publicKey, secretKey.bytes)
        return result == 0 ? bytes : nil
    }

    /// A pair of X25519 keys.
    static func boxKeys(seed: SecretBytes) -> (publicKey: [UInt8], secretKey: SecretBytes) {
        var (open, secret) = ([UInt8](repeating: 0, count: keySize), [UInt8](repeating: 0, count: keySize))
        crypto_box_seed_keypair(&open, &secret, seed.bytes)
        return (open, SecretBytes(secret))
    }

    // MARK: Signatures: Ed25519

    static func signingKeys(seed: SecretBytes) -> (publicKey: [UInt8], secretKey: SecretBytes) {
        var (open, secret) = ([UInt8](repeating: 0, count: keySize), [UInt8](repeating: 0, count: 64))
        crypto_sign_seed_keypair(&open, &secret, seed.bytes)
        return (open, SecretBytes(secret))
    }

    static func sign(_ bytes: [UInt8], with key: SecretBytes) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: signatureSize)
        crypto_sign_detached(&signature, nil, bytes, UInt64(bytes.count), key.bytes)
        return signature
    }

    static func isSignature(_ signature: [UInt8], of bytes: [UInt8], by publicKey: [UInt8]) -> Bool {
        guard signature.count == signatureSize, publicKey.count == keySize else { return false }
        return crypto_sign_verify_detached(signature, bytes, UInt64(bytes.count), publicKey) == 0
    }
}
