import CoreDataTransfer
import Foundation
import TestBasics
import TestServers
import Testing

@testable import CoreDataAccounts

@Suite struct AuthorizationTests {
    /// A provider whose token endpoint checks code and proof as RFC 7636 says.
    private func provider() throws -> TestProvider {
        try TestProvider { request, reply in
            guard request.form["code"] == "the code" else {
                return try reply.json(400, [], "{\"error\":\"invalid_grant\"}")
            }
            try reply.tokens("new", refresh: "refresh-1")
        }
    }

    /// The parameters of the address that a user opens.
    private func parameters(_ url: URL) throws -> [String: String] {
        try #require(
            URLText.parameters(URLComponents(url: url, resolvingAgainstBaseURL: false)?.percentEncodedQuery ?? ""))
    }

    @Test("the browser's redirect with code and state gives tokens, whose code is proved by S256 (WEB-12)")
    func browser() async throws {
        let test = try provider()
        let authorizer = try test.authorizer()
        let asked = Place()
        let tokens = try await authorizer.authorize { url in
            let sent = try parameters(url)
            asked.path = url.absoluteString
            let redirect = try #require(URL(string: sent["redirect_uri"] ?? ""))
            #expect(redirect.host == "127.0.0.1" && redirect.path == "/callback")
            let port = try #require(redirect.port)
            let page = try exchange(
                "GET /callback?code=the+code&state=\(sent["state"] ?? "") HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n",
                port: port)
            #expect(page.hasPrefix("HTTP/1.1 200 ") && page.contains("may close this page"))
            #expect(!page.contains(sent["state"] ?? "?"))
        }
        #expect(tokens.access == Secret("new") && tokens.refresh == Secret("refresh-1"))
        #expect(tokens.scopes == ["read", "write"])
        let sent = try parameters(try #require(URL(string: asked.path)))
        #expect(sent["response_type"] == "code" && sent["client_id"] == "client" && sent["scope"] == "read write")
        #expect(sent["code_challenge_method"] == "S256")
        let form = try #require(test.server.requests.first).form
        #expect(form["grant_type"] == "authorization_code" && form["redirect_uri"] == sent["redirect_uri"])
        let verifier = try #require(form["code_verifier"])
        #expect(verifier.count == 43)
        #expect(URLText.base64(try #require(URLText.sha256(verifier))) == sent["code_challenge"])
        #expect(!asked.path.contains(verifier))
        // The port is closed.
        let port = try #require(URL(string: sent["redirect_uri"] ?? "")?.port)
        await eventually("the end of the port") { (try? LoopbackConnection(port: port)) == nil }
    }

    @Test("the digest is that of the example of RFC 7636 (WEB-12)")
    func digest() {
        let digest = URLText.sha256("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(digest.map(URLText.base64) == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test(
        "requests without the right state, path, method or host are refused, and the right one is still taken (WEB-12)")
    func wrongRequests() async throws {
        let test = try provider()
        _ = try await test.authorizer().authorize { url in
            let sent = try parameters(url)
            let (state, redirect) = (sent["state"] ?? "", URL(string: sent["redirect_uri"] ?? ""))
            let port = try #require(redirect?.port)
            let host = "Host: 127.0.0.1:\(port)\r\n"
            let query = "code=bad&state=\(state)"
            let wrong = [
                ("GET /callback?code=bad HTTP/1.1\r\n\(host)", 400),
                ("GET /callback?code=bad&state=other HTTP/1.1\r\n\(host)", 400),
                ("GET /callback?error=access_denied&state=\(state.dropLast()) HTTP/1.1\r\n\(host)", 400),
                ("GET /callback?\(query)&state=\(state) HTTP/1.1\r\n\(host)", 400),
                ("GET /callback?\(query) HTTP/1.1\r\nHost: evil.example\r\n", 400),
                ("GET /callback?\(query) HTTP/1.1\r\n", 400),
                ("GET /callback?\(query) HTTP/1.1\r\n\(host)\(host)", 400),
                ("GET /other?\(query) HTTP/1.1\r\n\(host)", 404),
                ("POST /callback?\(query) HTTP/1.1\r\n\(host)", 405),
                ("GET /callback HTTP/1.1\r\n\(host)", 400), ("garbage\r\n", 400),
                ("GET /callback?\(query) HTTP/1.1\r\nX: \(String(repeating: "a", count: 9_000))\r\n\(host)", 431),
            ]
            for (request, status) in wrong {
                let answer = try exchange(request + "\r\n", port: port)
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(request.prefix(80)) \(answer.prefix(20))")
            }
            // Those who connect and say nothing keep no one else out.
            let silent = try (0..<20).map { _ in try LoopbackConnection(port: port) }
            let page = try exchange(
                "GET /callback?code=the%20code&state=\(state) HTTP/1.1\r\n\(host)\r\n", port: port)
            #expect(page.hasPrefix("HTTP/1.1 200 "))
            withExtendedLifetime(silent) {}
        }
        #expect(test.server.requests.count == 1)
    }

    @Test("a denial, a missing code and another provider's answer are errors; no code is exchanged (WEB-12)")
    func answersWithoutCode() async throws {
        let test = try provider()
        func code(_ query: (String) -> String, _ change: (inout AccountProvider) -> Void = { _ in }) async throws
            -> AccountError.Code?
        {
            let authorizer = try test.authorizer(change)
            let attempt = try authorizer.begin()
            let pasted = "http://127.0.0.1:1/callback?" + query(attempt.state.reveal())
            return await accountCode { _ = try await authorizer.finish(attempt, pasted: pasted) }
        }
        #expect(try await code { "error=access_denied&state=\($0)" } == .accessDenied)
        #expect(try await code { "error=server_error&state=\($0)" } == .refused("server_error"))
        #expect(try await code { "state=\($0)" } == .invalidCode)
        #expect(try await code { _ in "code=the%20code" } == .invalidCode)
        #expect(try await code { _ in "error=access_denied" } == .invalidCode)
        let mixed = { (state: String) in "code=a&state=\(state)&iss=https://other" }
        let unnamed = { (state: String) in "code=a&state=\(state)" }
        #expect(try await code(mixed) { $0.issuer = "https://own" } == .invalidCode)
        #expect(try await code(unnamed) { $0.namesIssuerInRedirects = true } == .invalidCode)
        #expect(test.server.requests.isEmpty)
        let right = { (state: String) in "code=the+code&state=\(state)&iss=https%3A%2F%2Fown" }
        #expect(
            try await code(right) { ($0.issuer, $0.namesIssuerInRedirects) = ("https://own", true) } == nil)
    }

    @Test("a code that the user pastes, alone or in the address, gives tokens; one that was used is refused (WEB-12)")
    func pastedCode() async throws {
        let test = try TestProvider { request, reply in
            let code = request.form["code"] ?? ""
            guard code == "PIN-123" else { return try reply.json(400, [], "{\"error\":\"invalid_grant\"}") }
            try reply.tokens("new")
        }
        let authorizer = try test.authorizer()
        let attempt = try authorizer.begin()
        #expect(try parameters(attempt.url)["redirect_uri"] == "urn:ietf:wg:oauth:2.0:oob")
        #expect(try await authorizer.finish(attempt, pasted: " PIN-123\n").access == Secret("new"))
        let address = "app://back?state=\(attempt.state.reveal())&code=PIN-123#top"
        #expect(try await authorizer.finish(attempt, pasted: address).access == Secret("new"))
        #expect(await accountCode { _ = try await authorizer.finish(attempt, pasted: "PIN-124") } == .invalidCode)
        for text in ["", "two words", String(repeating: "a", count: 9_000)] {
            #expect(await accountCode { _ = try await authorizer.finish(attempt, pasted: text) } == .invalidCode)
        }
        #expect(test.server.requests.count == 3)
        let other = try authorizer.begin()
        #expect(other.state != attempt.state && other.verifier != attempt.verifier)
    }

    @Test("the wait for the browser ends when its time is over, or the task is cancelled (WEB-12)")
    func endsOfWaits() async throws {
        let test = try provider()
        let authorizer = try test.authorizer()
        #expect(
            await accountCode { _ = try await authorizer.authorize(within: .milliseconds(20)) { _ in } } == .expired)
        let isOpen = Answers()
        let task = Task { try await authorizer.authorize { _ in _ = isOpen.next() } }
        await eventually("the address") { isOpen.count == 1 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        struct Refused: Error {}
        await #expect(throws: Refused.self) { try await authorizer.authorize { _ in throw Refused() } }
    }

    @Test("forms go to no other place by a redirect of the token endpoint (WEB-12)", arguments: [302, 307])
    func redirectedForm(status: Int) async throws {
        let other = try ScriptedServer { _, reply in try reply.tokens("stolen") }
        defer { other.stop() }
        let there = other.url("/token")
        let test = try TestProvider { _, reply in try reply.respond(status, ["Location: \(there)"]) }
        let authorizer = try test.authorizer()
        let attempt = try authorizer.begin()
        #expect(await accountCode { _ = try await authorizer.finish(attempt, pasted: "code") } == .invalidAnswer)
        #expect(other.requests.isEmpty)
    }

    @Test("a client with a secret proves itself by a header field or by the form, and revokes both tokens (WEB-12)")
    func clientSecret() async throws {
        let test = try TestProvider { request, reply in
            if request.path == "/revoke" { return try reply.respond(200) }
            try reply.tokens("new")
        }
        for kind in [AccountProvider.ClientAuthentication.basic, .post] {
            let authorizer = try test.authorizer {
                $0.clientSecret = Secret("a:b c")
                $0.clientAuthentication = kind
            }
            _ = try await authorizer.finish(authorizer.begin(), pasted: "code")
        }
        let (basic, post) = (test.server.requests[0], test.server.requests[1])
        let pair = basic.field("Authorization").flatMap { Data(base64Encoded: String($0.dropFirst("Basic ".count))) }
        #expect(pair == Data("client:a%3Ab%20c".utf8))
        #expect(basic.form["client_secret"] == nil)
        #expect(
            post.field("Authorization") == nil && post.form["client_secret"] == "a:b c"
                && post.form["client_id"] == "client")
        try await test.authorizer().revoke(AccountTokens(access: Secret("x"), refresh: Secret("y")))
        #expect(test.server.requests.suffix(2).map { $0.form["token"] } == ["y", "x"])
        #expect(test.server.requests.suffix(2).allSatisfy { $0.path == "/revoke" })
    }
}
