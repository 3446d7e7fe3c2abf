import CoreDataTransfer
import Foundation
import LockKit
import TestBasics
import TestServers
import Testing

@testable import CoreDataAccounts

/// The code of the error of accounts that a block throws, nil if it throws none or another.
func accountCode(_ body: () async throws -> Void) async -> AccountError.Code? { await accountError(body)?.code }

/// The error of accounts that a block throws, nil if it throws none or another.
func accountError(_ body: () async throws -> Void) async -> AccountError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? AccountError
    }
}

/// A clock that a test sets, whose waits take no time.
final class SetClock: Sendable {
    private struct State {
        var time = Date(timeIntervalSince1970: 1_800_000_000)
        var waits: [Double] = []
    }

    private let state = Locked(State())

    var waits: [Double] { state.withLock { $0.waits } }
    var now: Date { state.withLock { $0.time } }

    func advance(_ seconds: Double) { state.withLock { $0.time += seconds } }

    var clock: AccountClock {
        AccountClock(
            now: { [self] in now },
            sleep: { [self] duration in
                state.withLock { state in
                    state.waits.append(duration / .seconds(1))
                    state.time += duration / .seconds(1)
                }
            })
    }
}

/// A provider on a scripted server, with accounts in a folder.
final class TestProvider: Sendable {
    let server: ScriptedServer
    let folder: TemporaryFolder
    let time = SetClock()

    init(_ handler: @escaping @Sendable (ScriptedServer.Request, ScriptedServer.Reply) throws -> Void) throws {
        server = try ScriptedServer(handler)
        folder = try TemporaryFolder()
    }

    deinit { server.stop() }

    var storeFolder: URL { folder.url.appendingPathComponent("state") }
    var store: AccountStore { AccountStore(folder: storeFolder) }

    func provider() throws -> AccountProvider {
        var provider = try AccountProvider(
            name: "test", tokenEndpoint: server.url("/token"), clientID: "client", resources: [server.url("/")])
        provider.authorizationEndpoint = server.url("/authorize")
        provider.deviceEndpoint = server.url("/device")
        provider.revocationEndpoint = server.url("/revoke")
        provider.scopes = ["read", "write"]
        return provider
    }

    func authorizer(_ change: (inout AccountProvider) -> Void = { _ in }) throws -> AccountAuthorizer {
        var provider = try provider()
        change(&provider)
        return AccountAuthorizer(provider, clock: time.clock)
    }

    /// A session of the app "app" for the account "a", which is made with tokens that live for an hour.
    func session(
        _ store: AccountStore? = nil, access: String = "old", refresh: String? = "refresh-1", lifetime: Double? = 3_600
    ) throws -> AccountSession {
        let store = store ?? self.store
        let now = time.now
        let tokens = AccountTokens(
            access: Secret(access), refresh: refresh.map { Secret($0) },
            expiry: lifetime.map { now.addingTimeInterval($0) }, receipt: now)
        try store.add(Account(identifier: "a", name: "Ann", provider: "test"), tokens: tokens, apps: ["app"])
        return try openSession(store)
    }

    /// A session for the account that is there.
    func openSession(_ store: AccountStore) throws -> AccountSession {
        try AccountSession(account: "a", app: "app", provider: provider(), store: store, clock: time.clock)
    }
}

extension ScriptedServer.Reply {
    /// Answers with JSON.
    func json(_ status: Int = 200, _ fields: [String] = [], _ text: String) throws {
        try respond(status, ["Content-Type: application/json"] + fields, text: text)
    }

    /// Answers with tokens.
    func tokens(_ access: String, refresh: String? = nil, lifetime: Int = 3_600) throws {
        let rotated = refresh.map { ",\"refresh_token\":\"\($0)\"" } ?? ""
        try json(
            200, ["Cache-Control: no-store"],
            "{\"access_token\":\"\(access)\",\"token_type\":\"Bearer\",\"expires_in\":\(lifetime)\(rotated)}")
    }
}

extension ScriptedServer.Request {
    /// The fields of a form in the body.
    var form: [String: String] { URLText.parameters(String(decoding: body, as: UTF8.self)) ?? [:] }
    var token: String? { field("Authorization").map { String($0.dropFirst("Bearer ".count)) } }
}

/// Sends bytes to a port of this machine and returns what comes back until the end.
func exchange(_ text: String, port: Int) throws -> String {
    let connection = try LoopbackConnection(port: port)
    try connection.write(Data(text.utf8))
    var received = Data()
    while let byte = try? connection.read(1) { received += byte }
    return String(decoding: received, as: UTF8.self)
}

/// Counts from several threads.
final class Answers: Sendable {
    private let number = Locked(0)

    /// How often the next one was asked for.
    var count: Int { number.withLock { $0 } }

    func next() -> Int {
        number.withLock { number in
            defer { number += 1 }
            return number
        }
    }
}

/// A path that is known after it is captured.
final class Place: Sendable {
    private let value = Locked("")

    var path: String {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}
