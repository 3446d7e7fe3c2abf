import CGnuTLS
import CMicroHTTPD
import CoreDataSyncHub
import HTTPServerKit

/// Decides who may use a hub: clients whose keys are admitted, or, over plain HTTP, programs of this machine.
struct HubAccess: Sendable {
    private static let strange = HubRefusal(403, "the key is not admitted")

    private let security: HubSettings.Security
    private let admitted: AdmittedKeys

    init(_ settings: HubSettings) {
        (security, admitted) = (settings.security, AdmittedKeys(hub: settings.folder))
    }

    /// Has a new connection over TLS ask its client for a key, which libmicrohttpd does only for those of known issuers. For the daemon's
    /// thread, before the handshake.
    static func askForKey(_ connection: ConnectionHandle) {
        guard let session = cmicrohttpd_session(connection.pointer) else { return }
        cgnutls_request_certificate(session)
    }

    /// The key that a client has shown; nil over plain HTTP. For the daemon's thread.
    ///
    /// - Throws: `HubRefusal` if it is admitted to no group. Strangers learn nothing further.
    func key(of connection: ConnectionHandle, _ fields: HubFields) throws -> KeyPin? {
        switch security {
        case .pinnedKeys:
            var count = 0
            guard let session = cmicrohttpd_session(connection.pointer),
                let bytes = cgnutls_certificate(session, &count),
                let pin = KeyPin(certificate: UnsafeBufferPointer(start: bytes, count: count)),
                admitted.admits(pin, to: nil)
            else { throw Self.strange }
            return pin
        case .plainOnLoopback:
            // A page of a web browser, whose name leads to this machine, is none of its programs.
            guard let host = fields.host, Self.isThisMachine(host) else {
                throw HubRefusal(421, "the hub has no such name")
            }
            return nil
        case .plainAnywhere: return nil
        }
    }

    /// - Throws: `HubRefusal` if a key is not admitted, or no longer, to the group of a request.
    func check(_ key: KeyPin?, _ request: HubRequest) throws {
        guard case .pinnedKeys = security else { return }
        guard let key, admitted.admits(key, to: request.group) else { throw Self.strange }
    }

    private static func isThisMachine(_ host: String) -> Bool {
        let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
        return ["127.0.0.1", "localhost", "[::1]"].contains(name.lowercased())
    }
}
