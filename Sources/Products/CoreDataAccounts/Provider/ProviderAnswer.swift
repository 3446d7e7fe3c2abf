import CoreDataTransfer
import Foundation
import FoundationNetworking

/// An answer of a provider's endpoint: a JSON object, or an error of OAuth.
struct ProviderAnswer {
    let status: Int
    private let fields: [String: Any]

    /// The most bytes of an answer.
    private static let greatestSize = 256 << 10

    /// Sends a request to an endpoint of a provider. Redirects are refused, so that no form with a token or a code goes elsewhere.
    ///
    /// - Parameter needsObject: false where a success has no content.
    /// - Throws: ``AccountError``: `providerUnavailable` if there is no connection, or with 429 and 5xx; `invalidAnswer` for what
    ///   is no JSON object and for redirects; `CancellationError`.
    init(
        to request: URLRequest, session: TransferSession, clock: AccountClock, needsObject: Bool = true
    ) async throws {
        var options = TransferOptions()
        options.accepts = .all
        options.maximumBodySize = Self.greatestSize
        let host = request.url?.host ?? ""
        let (data, response): (Data, HTTPURLResponse)
        do {
            (data, response) = try await session.data(for: request, options: options)
        } catch let error as TransferError {
            guard error.code != .bodyTooLarge, error.code != .invalidResponse else {
                throw Self.invalid(host, "is not valid or too large")
            }
            // The text of the error may have been made of what the server sent.
            throw AccountError(
                .providerUnavailable(retryAfter: nil), "\(host) cannot be reached: \(Self.word(error.code))")
        }
        status = response.statusCode
        if status == 429 || status >= 500 {
            let seconds = Self.retryAfter(response, now: clock.now())
            throw AccountError(
                .providerUnavailable(retryAfter: seconds), "\(host) answers \(status): it cannot be used for now")
        }
        guard !(300...399).contains(status) else { throw Self.invalid(host, "is a redirect, which is refused here") }
        if status == 200, !needsObject {
            fields = [:]
            return
        }
        guard let fields = try? JSONSerialization.jsonObject(with: data) as? [String: Any] else {
            throw Self.invalid(host, "with status \(status) is no JSON object")
        }
        self.fields = fields
    }

    /// A session for endpoints: with some settings, no redirects and no cookies.
    static func session(_ configuration: TransferConfiguration) -> TransferSession {
        var configuration = configuration
        configuration.maximumRedirects = 0
        configuration.keepsCookies = false
        configuration.transferTimeout = min(configuration.transferTimeout ?? 60, 60)
        return TransferSession(configuration: configuration)
    }

    /// The text of a field; nil if it is missing, empty, no text, or longer than 16,384 bytes.
    func text(_ name: String) -> String? {
        guard let text = fields[name] as? String, !text.isEmpty, text.utf8.count <= 16_384 else { return nil }
        return text
    }

    func texts(_ name: String) -> [String]? { fields[name] as? [String] }

    func flag(_ name: String) -> Bool { fields[name] as? Bool ?? false }

    /// A number of seconds, which some providers send as text: from 0 to a hundred years; nil for anything else.
    func seconds(_ name: String) -> TimeInterval? {
        let value = (fields[name] as? NSNumber)?.doubleValue ?? (fields[name] as? String).flatMap { Double($0) }
        guard let value, (0...3.2e9).contains(value) else { return nil }
        return value
    }

    /// The code of an error of OAuth (RFC 6749, 5.2), if the answer is one; some providers send errors with status 200.
    var error: String? {
        guard status != 200 || text("error") != nil else { return nil }
        let code = text("error") ?? "status \(status)"
        // It goes into messages: what is not in the alphabet of error codes is left out.
        return String(code.unicodeScalars.filter { (0x20...0x7E).contains($0.value) }.prefix(60).map(Character.init))
    }

    static func invalid(_ host: String, _ reason: String) -> AccountError {
        AccountError(.invalidAnswer, "the answer of \(host) \(reason)")
    }

    private static func word(_ code: TransferError.Code) -> String {
        switch code {
        case .hostNotFound: "its name has no address"
        case .cannotConnect: "nothing answers there"
        case .addressNotAllowed: "its address is not allowed"
        case .insecureConnection: "its certificate or TLS is not valid"
        case .timedOut: "it took too long"
        default: "the connection was lost"
        }
    }

    /// Seconds, or a date of HTTP (RFC 9110, 10.2.3), at most a day.
    private static func retryAfter(_ response: HTTPURLResponse, now: Date) -> TimeInterval? {
        guard let value = response.value(forHTTPHeaderField: "Retry-After") else { return nil }
        let seconds = Double(value) ?? HTTPDate.date(value).map { $0.timeIntervalSince(now) }
        guard let seconds, seconds.isFinite else { return nil }
        return min(max(0, seconds), 86_400)
    }
}
