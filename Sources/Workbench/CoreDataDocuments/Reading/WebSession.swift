import CoreData
import CoreDataTransfer
import FoundationNetworking

/// What sends the requests of imports and exports: a session of transfers, or one that signs them.
package protocol WebSession: Sendable {
    /// Downloads to a file, as `TransferSession.download`.
    func download(for request: URLRequest, to file: URL, options: TransferOptions) async throws -> HTTPURLResponse
    /// Sends a file, as `TransferSession.upload`.
    func upload(
        for request: URLRequest, fromFile file: URL, options: TransferOptions
    ) async throws -> (Data, HTTPURLResponse)
    /// One with the same settings that follows no redirects.
    func withoutRedirects() throws -> any WebSession
}

extension TransferSession: WebSession {
    package func withoutRedirects() -> any WebSession {
        var configuration = configuration
        configuration.maximumRedirects = 0
        return TransferSession(configuration: configuration)
    }
}
