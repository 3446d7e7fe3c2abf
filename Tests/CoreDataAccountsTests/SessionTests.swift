import CoreDataTransfer
import Foundation
import FoundationNetworking
import TestBasics
import TestServers
import Testing

@testable import CoreDataAccounts

@Suite struct SessionTests {
    @Test(
        "requests of each method are signed with the account's token (WEB-12)",
        arguments: ["GET", "POST", "PUT", "DELETE"])
    func methods(method: String) async throws {
        let test = try TestProvider { request, reply in try reply.respond(text: request.method) }
        let session = try test.session()
        var request = URLRequest(url: test.server.url("/items/1"))
        request.httpMethod = method
        // What stands there before, in whatever case, gives way.
        request.setValue("Basic eA==", forHTTPHeaderField: "authorization")
        if method == "POST" || method == "PUT" { request.httpBody = Data("body".utf8) }
        let (data, _) = try await session.data(for: request)
        #expect(data == Data(method.utf8))
        let sent = try #require(test.server.requests.first)
        #expect(sent.fields.filter { $0.name.lowercased() == "authorization" }.map(\.value) == ["Bearer old"])
        #expect(sent.method == method && sent.body == request.httpBody ?? Data())
        #expect(test.server.requests.count == 1)
    }

    @Test("a refused token is refreshed once, stored, and the request sent once more (WEB-12)")
    func refreshesOnce() async throws {
        let test = try TestProvider { request, reply in
            guard request.path == "/token" else {
                return try reply.respond(request.token == "new" ? 200 : 401, text: "answer")
            }
            try reply.tokens("new", refresh: "refresh-2")
        }
        let session = try test.session()
        var request = URLRequest(url: test.server.url("/a"))
        request.httpMethod = "PUT"
        request.httpBody = Data("body".utf8)
        let (data, _) = try await session.data(for: request)
        #expect(data == Data("answer".utf8))
        #expect(test.server.requests.map(\.path) == ["/a", "/token", "/a"])
        #expect(test.server.requests.last?.body == Data("body".utf8))
        let form = test.server.requests[1].form
        #expect(
            form == ["grant_type": "refresh_token", "refresh_token": "refresh-1", "client_id": "client"])
        let stored = try test.store.tokens(of: "a", app: "app")
        #expect(stored.access == Secret("new") && stored.refresh == Secret("refresh-2"))
        #expect(stored.expiry == test.time.now.addingTimeInterval(3_600))
        // Also where the options accept every status.
        try test.store.setTokens(AccountTokens(access: Secret("bad"), refresh: Secret("refresh-2")), of: "a")
        var options = TransferOptions()
        options.accepts = .all
        #expect(try await session.data(for: request, options: options).1.statusCode == 200)
    }

    @Test(
        "20 requests at once cause one refresh, of one session and of two with stores of their own (WEB-12)",
        arguments: [1, 2])
    func oneRefresh(stores: Int) async throws {
        let test = try TestProvider { request, reply in
            guard request.path == "/token" else {
                return try reply.respond(request.token == "new" ? 200 : 401, text: request.target)
            }
            try reply.tokens("new", refresh: "refresh-2")
        }
        _ = try test.session()
        let sessions = try (0..<stores).map { _ in try test.openSession(test.store) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    let request = URLRequest(url: test.server.url("/\(number)"))
                    let (data, _) = try await sessions[number % stores].data(for: request)
                    #expect(data == Data("/\(number)".utf8))
                }
            }
            try await group.waitForAll()
        }
        #expect(test.server.requests.filter { $0.path == "/token" }.count == 1)
    }

    @Test(
        "a token that is refused also after the refresh asks for the user, and the account is not marked (WEB-12)"
    )
    func refusedAgain() async throws {
        let test = try TestProvider { request, reply in
            guard request.path == "/token" else { return try reply.respond(401, text: "no") }
            try reply.tokens("new", refresh: "refresh-2")
        }
        let session = try test.session()
        let request = URLRequest(url: test.server.url("/a"))
        #expect(await accountCode { _ = try await session.data(for: request) } == .authorizationNeeded(account: "a"))
        #expect(test.server.requests.map(\.path) == ["/a", "/token", "/a"])
        // The refresh worked, so the account is not marked.
        #expect(try !test.store.account("a").needsAuthorization)
    }

    @Test(
        "a revoked account is marked, asks for its user without further requests, and works once it is authorized again (WEB-12)"
    )
    func revoked() async throws {
        let test = try TestProvider { request, reply in
            guard request.path == "/token" else { return try reply.respond(request.token == "again" ? 200 : 401) }
            try reply.json(400, [], "{\"error\":\"invalid_grant\"}")
        }
        let session = try test.session()
        let request = URLRequest(url: test.server.url("/a"))
        #expect(await accountCode { _ = try await session.data(for: request) } == .authorizationNeeded(account: "a"))
        #expect(test.server.requests.count == 2)
        #expect(try test.store.account("a").needsAuthorization)
        #expect(await accountCode { _ = try await session.data(for: request) } == .authorizationNeeded(account: "a"))
        #expect(test.server.requests.count == 2)
        try test.store.setTokens(AccountTokens(access: Secret("again")), of: "a")
        _ = try await session.data(for: request)
        // Without a refresh token a 401 asks for the user at once.
        try test.store.setTokens(AccountTokens(access: Secret("bad")), of: "a")
        #expect(await accountCode { _ = try await session.data(for: request) } == .authorizationNeeded(account: "a"))
        #expect(test.server.requests.filter { $0.path == "/token" }.count == 1)
        #expect(try test.store.account("a").needsAuthorization)
    }

    @Test("a provider that is down keeps the tokens, and is left alone as long as it asks (WEB-12)")
    func providerDown() async throws {
        let answers = Answers()
        let test = try TestProvider { request, reply in
            guard request.path == "/token" else { return try reply.respond(request.token == "new" ? 200 : 401) }
            switch answers.next() {
            case 0: try reply.respond(503, ["Retry-After: 120"], text: "<html>")
            case 1: try reply.tokens("new", refresh: "refresh-2")
            default: try reply.respond(500)
            }
        }
        let session = try test.session()
        let request = URLRequest(url: test.server.url("/a"))
        func code() async -> AccountError.Code? { await accountCode { _ = try await session.data(for: request) } }
        #expect(await code() == .providerUnavailable(retryAfter: 120))
        test.time.advance(20)
        #expect(await code() == .providerUnavailable(retryAfter: 100))
        #expect(answers.count == 1)
        #expect(try test.store.tokens(of: "a", app: "app").refresh == Secret("refresh-1"))
        test.time.advance(101)
        #expect(await code() == nil)
        #expect(answers.count == 2)
    }

    @Test(
        "a token is refreshed before it expires; while the provider is down a valid one is used, an expired one not (WEB-12)"
    )
    func expiry() async throws {
        let answers = Answers()
        let test = try TestProvider { request, reply in
            guard request.path == "/token" else { return try reply.respond(text: request.token ?? "") }
            if answers.next() < 2 { return try reply.respond(502) }
            try reply.tokens("new", lifetime: 20)
        }
        let session = try test.session(lifetime: 3_600)
        func used() async throws -> String {
            String(decoding: try await session.data(for: URLRequest(url: test.server.url("/a"))).0, as: UTF8.self)
        }
        test.time.advance(3_500)
        #expect(try await used() == "old")
        #expect(answers.count == 0)
        test.time.advance(50)
        #expect(try await used() == "old")
        #expect(answers.count == 1)
        test.time.advance(60)
        #expect(await accountCode { _ = try await used() } == .providerUnavailable(retryAfter: nil))
        #expect(try await used() == "new")
        #expect(answers.count == 3)
        // One that lives shortly is not refreshed for each request; what the answer left out stays.
        test.time.advance(10)
        #expect(try await used() == "new")
        #expect(answers.count == 3)
        #expect(try test.store.tokens(of: "a", app: "app").refresh == Secret("refresh-1"))
    }

    @Test("an unreachable provider, a refusal of the client and an answer that is not JSON keep the tokens (WEB-12)")
    func otherFailures() async throws {
        let answers = Answers()
        let test = try TestProvider { request, reply in
            guard request.path == "/token" else { return try reply.respond(401) }
            switch answers.next() {
            case 0: try reply.json(401, [], "{\"error\":\"invalid_client\"}")
            case 1: try reply.respond(200, ["Content-Type: text/html"], text: "<p>access_token</p>")
            case 2: try reply.respond(404, text: "none")
            case 3: try reply.json(200, [], "{\"access_token\":\"x\\r\\nX: y\",\"token_type\":\"bearer\"}")
            case 4: try reply.json(200, [], "{\"access_token\":\"x\",\"token_type\":\"mac\"}")
            case 5: try reply.respond(200, text: String(repeating: "[", count: 300_000))
            case 6: try reply.respond(200, text: String(repeating: "[", count: 100_000))
            default: reply.close()
            }
        }
        let session = try test.session()
        let request = URLRequest(url: test.server.url("/a"))
        var codes: [AccountError.Code?] = []
        for _ in 0..<8 { codes.append(await accountCode { _ = try await session.data(for: request) }) }
        #expect(codes[0] == .refused("invalid_client"))
        #expect(codes[1..<7].allSatisfy { $0 == .invalidAnswer }, "\(codes)")
        #expect(codes[7] == .providerUnavailable(retryAfter: nil))
        let stored = try test.store.tokens(of: "a", app: "app")
        #expect(stored.access == Secret("old") && stored.refresh == Secret("refresh-1"))
    }

    @Test("tokens that could not be stored are not used, and are stored before the next refresh (WEB-12)")
    func storedBeforeUse() async throws {
        let place = Place()
        let test = try TestProvider { request, reply in
            guard request.path == "/token" else { return try reply.respond(request.token == "new" ? 200 : 401) }
            // Others may look into the folder by the time of the answer.
            _ = chmod(place.path, 0o755)
            try reply.tokens("new", refresh: "refresh-2")
        }
        place.path = test.storeFolder.path
        let store = test.store
        let session = try test.session(store)
        let request = URLRequest(url: test.server.url("/a"))
        #expect(await accountCode { _ = try await session.data(for: request) } == .insecureFile)
        #expect(test.server.requests.map(\.path) == ["/a", "/token"])
        #expect(chmod(place.path, 0o700) == 0)
        #expect(try store.tokens(of: "a", app: "app").access == Secret("old"))
        _ = try await session.data(for: request)
        #expect(test.server.requests.map(\.path) == ["/a", "/token", "/a", "/a"])
        #expect(try store.tokens(of: "a", app: "app").refresh == Secret("refresh-2"))
    }

    @Test("a refresh goes on when its caller is cancelled, since the provider may have replaced the token (WEB-12)")
    func cancelledCaller() async throws {
        let isAsked = Answers()
        let mayAnswer = DispatchSemaphore(value: 0)
        let test = try TestProvider { request, reply in
            guard request.path == "/token" else { return try reply.respond(request.token == "new" ? 200 : 401) }
            _ = isAsked.next()
            mayAnswer.wait(for: "the cancellation")
            try reply.tokens("new", refresh: "refresh-2")
        }
        let session = try test.session()
        let url = test.server.url("/a")
        let task = Task { try await session.data(for: URLRequest(url: url)) }
        await eventually("the refresh") { isAsked.count == 1 }
        task.cancel()
        mayAnswer.signal()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try test.store.tokens(of: "a", app: "app").refresh == Secret("refresh-2"))
    }

    @Test("the token is sent to no origin that the provider does not name, by the request or by a redirect (WEB-12)")
    func otherOrigins() async throws {
        let other = try ScriptedServer { _, reply in try reply.respond(401, ["WWW-Authenticate: Bearer"]) }
        defer { other.stop() }
        let there = other.url("/b")
        let test = try TestProvider { request, reply in
            if request.path == "/a" { return try reply.respond(302, ["Location: \(there)"]) }
            if request.path == "/same" { return try reply.respond(307, ["Location: /end"]) }
            try reply.respond(text: request.token ?? "")
        }
        let session = try test.session()
        #expect(await accountCode { _ = try await session.data(for: URLRequest(url: there)) } == .originNotAllowed)
        for text in ["http://example.com/", "https://127.0.0.1:\(test.server.port)/", "file:///etc/passwd"] {
            let url = try #require(URL(string: text))
            #expect(await accountCode { _ = try await session.data(for: URLRequest(url: url)) } == .originNotAllowed)
        }
        // With a name in it the host that people read is not the one that is asked.
        let url = try #require(URL(string: "http://127.0.0.1:\(test.server.port)@127.0.0.1:\(other.port)/"))
        #expect(await accountCode { _ = try await session.data(for: URLRequest(url: url)) } == .originNotAllowed)
        #expect(other.requests.isEmpty)
        // The 401 of the other place is its own: nothing is refreshed for it.
        let error = await #expect(throws: TransferError.self) {
            try await session.data(for: URLRequest(url: test.server.url("/a")))
        }
        #expect(error?.code == .status(401) && error?.url == there)
        #expect(other.requests.map { $0.field("Authorization") } == [nil])
        #expect(test.server.requests.map(\.path) == ["/a"])
        #expect(try await session.data(for: URLRequest(url: test.server.url("/same"))).0 == Data("old".utf8))
    }

    @Test("cookies of one account are not sent with another's requests (WEB-12)")
    func cookies() async throws {
        let test = try TestProvider { request, reply in try reply.respond(200, ["Set-Cookie: session=ann; Path=/"]) }
        let session = try test.session()
        for _ in 0..<2 { _ = try await session.data(for: URLRequest(url: test.server.url("/a"))) }
        #expect(test.server.requests.allSatisfy { $0.field("Cookie") == nil })
    }

    @Test("files are sent and received with the token, and a file stays as it was when the token is refused (WEB-12)")
    func files() async throws {
        let test = try TestProvider { request, reply in
            guard request.path == "/token" else {
                return try reply.respond(request.token == "new" ? 200 : 401, text: request.path + "!")
            }
            try reply.tokens("new")
        }
        let session = try test.session()
        let file = test.folder.url.appendingPathComponent("file")
        try Data("before".utf8).write(to: file)
        var options = TransferOptions()
        options.accepts = .all
        let (answer, _) = try await session.upload(for: URLRequest(url: test.server.url("/up")), fromFile: file)
        #expect(answer == Data("/up!".utf8))
        #expect(test.server.requests.last?.body == Data("before".utf8))
        try test.store.setTokens(AccountTokens(access: Secret("bad")), of: "a")
        let request = URLRequest(url: test.server.url("/down"))
        let code = await accountCode { try await session.download(for: request, to: file, options: options) }
        #expect(code == .authorizationNeeded(account: "a"))
        #expect(try Data(contentsOf: file) == Data("before".utf8))
        try test.store.setTokens(AccountTokens(access: Secret("new")), of: "a")
        try await session.download(for: request, to: file)
        #expect(try Data(contentsOf: file) == Data("/down!".utf8))
        let (chunks, _) = try await session.chunks(for: request)
        var received = Data()
        for try await chunk in chunks { received += chunk }
        #expect(received == Data("/down!".utf8))
        // A stream cannot be sent once more: the next attempt of the caller has the refreshed token.
        try test.store.setTokens(AccountTokens(access: Secret("bad"), refresh: Secret("r")), of: "a")
        func streamed() async throws {
            var request = URLRequest(url: test.server.url("/up"))
            request.httpMethod = "PUT"
            request.httpBodyStream = InputStream(data: Data("stream".utf8))
            _ = try await session.data(for: request)
        }
        #expect(await accountCode { try await streamed() } == .bodyNotRepeatable)
        try await streamed()
    }
}
