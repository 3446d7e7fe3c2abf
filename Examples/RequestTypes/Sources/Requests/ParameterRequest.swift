import CoreDataTransfer
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One parameter with its value, sent in the query of a GET or in the body of a POST.
struct ParameterRequest: Sendable {
    enum Method: String, CaseIterable, Sendable {
        case get = "GET"
        case post = "POST"
    }

    let method: Method
    let parameter: String
    let value: String

    /// The request to a URL.
    func request(to url: URL) -> URLRequest {
        URLRequest(url: url, method: method.rawValue, form: [parameter: value])
    }

    /// Sends the request, and returns the text that came.
    ///
    /// - Throws: `TransferError`; `CancellationError`.
    func send(to url: URL, by session: TransferSession = .shared) async throws -> String {
        let (data, _) = try await session.data(for: request(to: url))
        return String(decoding: data, as: UTF8.self)
    }
}
