import CoreDataAccounts
import CoreDataExchange
import CoreDataTransfer
import CoreDataWorkbench
import Foundation
import FoundationNetworking

/// Requests of imports and exports, signed with the tokens of an account.
struct SignedSession: WebSession {
    private let name: String
    private let provider: AccountProvider
    private let store: AccountStore
    private let session: AccountSession

    /// - Throws: `InspectionError` for an account that the tool does not have.
    init(_ name: String) throws {
        let accounts = try ToolAccounts()
        try self.init(name, accounts.provider(of: name), accounts.store, TransferConfiguration())
    }

    private init(
        _ name: String, _ provider: AccountProvider, _ store: AccountStore, _ configuration: TransferConfiguration
    ) throws {
        (self.name, self.provider, self.store) = (name, provider, store)
        session = try ToolAccounts.explained(hint: ToolAccounts.addingAgain(name)) {
            try AccountSession(
                account: name, app: ToolAccounts.app, provider: provider, store: store, configuration: configuration)
        }
    }

    func download(for request: URLRequest, to file: URL, options: TransferOptions) async throws -> HTTPURLResponse {
        try await explained(request) { try await session.download(for: request, to: file, options: options) }
    }

    func upload(
        for request: URLRequest, fromFile file: URL, options: TransferOptions
    ) async throws -> (Data, HTTPURLResponse) {
        try await explained(request) { try await session.upload(for: request, fromFile: file, options: options) }
    }

    func withoutRedirects() throws -> any WebSession {
        var configuration = TransferConfiguration()
        configuration.maximumRedirects = 0
        return try SignedSession(name, provider, store, configuration)
    }

    private func explained<Value>(_ request: URLRequest, _ body: () async throws -> Value) async throws -> Value {
        do { return try await body() } catch let error as AccountError {
            let place = request.url.map { PrintableText.escaped($0.textWithoutPassword, limit: 200) } ?? ""
            throw ToolAccounts.inspection(error, place, hint: ToolAccounts.addingAgain(name))
        }
    }
}
