import CCurl
import Foundation

/// The keys of both sides of a connection over TLS 1.3: that of the server must be the one that is known here, and this side shows its own.
///
/// Names, issuers and dates of certificates count for nothing.
package struct PinnedKeys: Sendable {
    /// The SHA-256 digest of the server's public key, as SubjectPublicKeyInfo in DER.
    package let server: [UInt8]
    /// A file with the private key and the certificate of this side, as PEM.
    package let own: URL

    package init(server: [UInt8], own: URL) { (self.server, self.own) = (server, own) }

    /// Sets the options of a transfer.
    ///
    /// - Throws: ``TransferError`` if libcurl was built with a TLS library that cannot do it.
    func apply(to handle: UnsafeMutableRawPointer, _ url: URL?) throws {
        let pin = "sha256//" + Data(server).base64EncodedString()
        let results = [
            ccurl_set_text(handle, CURLOPT_PINNEDPUBLICKEY, pin),
            // The pin is checked all the same.
            ccurl_set_long(handle, CURLOPT_SSL_VERIFYPEER, 0), ccurl_set_long(handle, CURLOPT_SSL_VERIFYHOST, 0),
            ccurl_set_long(handle, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_3)),
            ccurl_set_text(handle, CURLOPT_SSLCERT, own.path), ccurl_set_text(handle, CURLOPT_SSLKEY, own.path),
        ]
        guard results.allSatisfy({ $0 == CURLE_OK }) else {
            throw TransferError(.insecureConnection, url, "libcurl cannot pin keys over TLS 1.3")
        }
    }
}
