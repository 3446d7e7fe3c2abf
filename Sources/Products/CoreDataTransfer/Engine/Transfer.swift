import CCurl
import Foundation
import FoundationNetworking
import Synchronization

/// A request on its way, with all that it is redirected to.
///
/// Threads of callers read what is constant, and ask for cancellation; all else is the session's thread's alone.
final class Transfer: @unchecked Sendable {
    let options: TransferOptions
    let receiver: any BodyReceiver
    /// Whether the body goes to a file, parts of which are asked for by offset: the server is asked not to encode it.
    let isFile: Bool
    let isCancelled = Atomic(false)

    private(set) var request: URLRequest
    private(set) var body: (any RequestBody)?
    private(set) var redirects = 0
    /// Whether the present request goes where the first did, to which the credential belongs.
    private(set) var isAtOrigin = true
    /// Until when the transfer must have ended, in nanoseconds of the monotonic clock.
    var deadline: UInt64?
    var finish: (@Sendable (Result<HTTPURLResponse, any Error>) -> Void)?

    init(
        _ request: URLRequest, body: (any RequestBody)?, receiver: any BodyReceiver, options: TransferOptions,
        isFile: Bool = false
    ) {
        var request = request
        let bytes = request.httpBody
        let stream = request.httpBodyStream
        let method = (request.httpMethod ?? "GET").uppercased()
        if body != nil, method == "GET" { request.httpMethod = "PUT" }
        // HEAD has no body.
        self.body =
            method == "HEAD"
            ? nil
            : body ?? bytes.map { DataBody($0) } ?? stream.map { StreamBody($0, url: request.url) }
                // Servers want a length where the method expects a body (RFC 9110, 8.6).
                ?? (["POST", "PUT", "PATCH"].contains(method) ? DataBody(Data()) : nil)
        (self.request, self.receiver, self.options, self.isFile) = (request, receiver, options, isFile)
    }

    /// Whom the request goes to, as limits count it.
    var hostKey: String {
        "\(request.url?.host?.lowercased() ?? ""):\(request.url?.port ?? (request.url?.scheme == "https" ? 443 : 80))"
    }

    /// Makes the request that a redirect leads to the present one.
    func follow(_ redirection: Redirection) throws {
        if redirection.keepsBody, let body, !body.seek(to: 0) {
            throw TransferError(.bodyNotRepeatable, request.url, "a redirect asks for the body once more")
        }
        if !redirection.keepsBody { body = nil }
        isAtOrigin = isAtOrigin && redirection.isSameOrigin
        request = redirection.request
        redirects += 1
    }
}
