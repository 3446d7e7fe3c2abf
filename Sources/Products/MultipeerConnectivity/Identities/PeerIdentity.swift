import Foundation
import PeerKit

/// A private key with its certificate, by which a peer proves who it is over TLS 1.3.
///
/// What Apple's API calls a security identity: the first element of `securityIdentity` of an ``MCSession``. Without one, an
/// Ed25519 key is made in memory and forgotten with the process.
public struct PeerIdentity: Sendable, Hashable {
    let keys: KeyPair

    /// Makes an Ed25519 key with a certificate that it signs itself.
    ///
    /// - Throws: ``MCError`` if the TLS library makes none.
    public init() throws { keys = try MCError.translated { try KeyPair() } }

    /// Takes a program's own key and certificate: both as PEM, the key first and without a password.
    ///
    /// - Throws: ``MCError`` with `invalidParameter` if they are damaged or do not belong together.
    public init(pem: Data) throws { keys = try MCError.translated { try KeyPair(text: Array(pem)) } }

    /// Key and certificate as PEM, to be kept where others cannot read it.
    public var pem: Data { Data(keys.text) }

    /// The SHA-256 digest of the public key, as 64 hexadecimal digits.
    public var keyDigest: String { keys.key.description }

    /// The identity among the elements of `securityIdentity`: a `PeerIdentity`, or PEM as `Data` or `String`.
    static func first(of elements: [Any]?) -> PeerIdentity? {
        switch elements?.first {
        case let identity as PeerIdentity: identity
        case let pem as Data: try? PeerIdentity(pem: pem)
        case let pem as String: try? PeerIdentity(pem: Data(pem.utf8))
        default: nil
        }
    }
}
