import CoreData
import CoreDataTransfer
import FoundationNetworking

/// How servers are asked for what an import reads, and sent what an export writes.
package struct WebAccess: Sendable {
    /// How often a server that asks to come again is asked again.
    private static let mostRetries = 3

    /// The most seconds that a server which asks to come again is waited for.
    package var longestWait = 120.0
    package var session: any WebSession = TransferSession.shared
    /// Header fields of all requests.
    package var fields: [String: String] = [:]
    /// The greatest size of a document in bytes; nil for no limit.
    package var greatestSize: Int?
    /// Bytes received and, if the server says it, the number of all.
    package var onProgress: (@Sendable (_ received: Int, _ all: Int?) -> Void)?

    /// Reaches every address: for who runs the program.
    package init() {}

    /// Reaches the public Internet, and some hosts by their names besides: for URLs that others give to a program.
    ///
    /// The address is checked when a connection is opened, so neither a name of a private address nor a redirect leads
    /// past it. A document has at most `size` bytes, and comes within an hour.
    package static func publicInternet(besides hosts: Set<String>, size: Int) -> WebAccess {
        var configuration = TransferConfiguration()
        configuration.addresses = .publicInternet(besides: hosts)
        configuration.keepsCookies = false
        configuration.transferTimeout = 3_600
        var access = WebAccess()
        access.session = TransferSession(configuration: configuration)
        access.greatestSize = size
        return access
    }

    /// Downloads to a file; nil where the server has no other version than the known one.
    ///
    /// Waits for it; a cancelled `ReadCancellation` ends the transfer.
    /// - Throws: `TransferError`, `CancellationError`.
    func download(_ url: URL, to file: URL, unless known: WebVersion?) throws -> HTTPURLResponse? {
        var request = URLRequest(url: url)
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        known?.condition(&request)
        var options = TransferOptions()
        options.maximumBodySize = greatestSize
        if known != nil { options.accepts.statuses = 200...304 }
        if let onProgress {
            options.onProgress = { onProgress(Int($0.received), $0.bytesToReceive.map { Int($0) }) }
        }
        let response = try ReadCancellation.waiting { [self, request, options] in
            try await retrying { try await session.download(for: request, to: file, options: options) }
        }
        if known != nil, response.statusCode == 304 { return nil }
        guard (200...299).contains(response.statusCode) else {
            throw Failure(url: response.url ?? url, status: response.statusCode)
        }
        return response
    }

    /// Sends again where a server that is busy says when (RFC 9110, 10.2.3).
    package func retrying<Result: Sendable>(_ body: @Sendable () async throws -> Result) async throws -> Result {
        var retries = 0
        while true {
            do {
                return try await body()
            } catch let error as TransferError {
                guard retries < Self.mostRetries, let seconds = Self.retryAfter(error), seconds <= longestWait
                else { throw error }
                retries += 1
                try await Task.sleep(for: .seconds(max(0, seconds)))
            }
        }
    }

    /// The seconds after which a busy server asks to be asked again, a week at most.
    static func retryAfter(_ error: TransferError) -> Double? {
        guard [.status(429), .status(503)].contains(error.code),
            let field = error.response?.value(forHTTPHeaderField: "Retry-After")
        else { return nil }
        let seconds = Double(field) ?? HTTPDate.date(field)?.timeIntervalSinceNow
        return seconds.flatMap { $0.isFinite ? min(max(0, $0), 604_800) : nil }
    }

    /// A redirect that leads nowhere, or another status that is none of success.
    private struct Failure: Error {
        let url: URL
        let status: Int
    }

    /// The error of a request as one for people, with the URL that was asked for.
    package static func error(_ error: any Error, _ url: URL) -> any Error {
        let (cause, place, wait): (String, URL?, Double?)
        switch error {
        case let error as TransferError where error.code == .addressNotAllowed || error.code == .unsupportedScheme:
            return refusal(of: url, error)
        case let error as TransferError: (cause, place, wait) = (error.reason, error.url, retryAfter(error))
        case let error as Failure: (cause, place, wait) = ("the server answers \(error.status)", error.url, nil)
        default: return error
        }
        var hint = place == url ? nil : place.map { "it leads to \($0.textWithoutPassword)" }
        if hint == nil, let wait { hint = "the server asks to come again in \(Int(wait.rounded(.up))) seconds" }
        var result = InspectionError(
            .unreadable, subject: PrintableText.escaped(url.textWithoutPassword, limit: 200), cause: cause, hint: hint)
        result.retryAfter = wait
        return result
    }

    private static func refusal(of url: URL, _ error: TransferError) -> InspectionError {
        let texts = [url, error.url].compactMap { $0 }.map { PrintableText.escaped($0.textWithoutPassword, limit: 200) }
        let subject = texts.first == texts.last ? texts[0] : texts.joined(separator: " -> ")
        guard error.code == .addressNotAllowed else {
            return InspectionError(
                .badValue, subject: subject, cause: "only URLs of http and https are downloaded")
        }
        return InspectionError(
            .badValue, subject: subject,
            cause: "the host has an address of this machine or of a private network, from which nothing is imported",
            hint: "who runs the server can allow the host by its name: --allow-import-from HOST")
    }
}
