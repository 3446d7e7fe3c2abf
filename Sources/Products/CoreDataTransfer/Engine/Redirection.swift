import Foundation
import FoundationNetworking

/// The request that follows a redirect, by the rules of the Fetch standard ("HTTP-redirect fetch").
struct Redirection {
    let request: URLRequest
    /// Whether the body is sent again.
    let keepsBody: Bool
    /// Whether scheme, host and port are the same.
    let isSameOrigin: Bool

    /// nil if the response is no redirect, or says not where to.
    ///
    /// - Throws: ``TransferError`` if the place is no URL that can be fetched.
    init?(of request: URLRequest, _ head: ResponseHead) throws {
        guard [301, 302, 303, 307, 308].contains(head.status), let location = head.values("Location").first else {
            return nil
        }
        guard let url = request.url, let target = URL(string: location, relativeTo: url)?.absoluteURL else {
            throw TransferError(.invalidResponse, request.url, "the redirect leads to no valid URL")
        }
        var next = request
        next.url = target
        let method = request.httpMethod ?? "GET"
        let becomesGet =
            head.status == 303 ? !["GET", "HEAD"].contains(method) : head.status < 303 && method == "POST"
        isSameOrigin = Self.origin(url) == Self.origin(target)
        keepsBody = !becomesGet
        if becomesGet {
            next.httpMethod = "GET"
            next.httpBody = nil
            for name in ["Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Content-Location"] {
                next.setValue(nil, forHTTPHeaderField: name)
            }
        }
        if !isSameOrigin {
            for name in ["Authorization", "Cookie", "Proxy-Authorization", "Host"] {
                next.setValue(nil, forHTTPHeaderField: name)
            }
        }
        self.request = next
    }

    private static func origin(_ url: URL) -> [String] {
        let scheme = url.scheme?.lowercased() ?? ""
        return [scheme, url.host?.lowercased() ?? "", String(url.port ?? (scheme == "https" ? 443 : 80))]
    }
}
