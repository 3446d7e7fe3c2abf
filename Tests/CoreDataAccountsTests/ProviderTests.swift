import CoreDataTransfer
import Foundation
import TestBasics
import TestServers
import Testing

@testable import CoreDataAccounts

@Suite struct ProviderTests {
    private func propertyList(_ change: (inout [String: Any]) -> Void = { _ in }) throws -> Data {
        var list: [String: Any] = [
            "Name": "test", "TokenEndpoint": "https://a.example/token", "ClientID": "client", "ClientSecret": "s3cr3t",
            "AuthorizationEndpoint": "https://a.example/authorize", "Scopes": ["read"], "RedirectPath": "/back",
            "Resources": ["https://api.example:8443/v1"], "ClientAuthentication": "client_secret_post",
        ]
        change(&list)
        return try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
    }

    @Test("a provider is read from a property list, and its secret is shown nowhere (WEB-12)")
    func propertyLists() throws {
        let provider = try AccountProvider(propertyList: propertyList())
        #expect(provider.authorizationEndpoint?.path == "/authorize" && provider.scopes == ["read"])
        #expect(provider.clientSecret == Secret("s3cr3t") && provider.clientAuthentication == .post)
        #expect(provider.redirectPath == "/back")
        var dumped = ""
        dump(provider, to: &dumped)
        #expect(!dumped.contains("s3cr3t") && !"\(provider)".contains("s3cr3t"))
        for (path, isAllowed) in [
            ("https://api.example:8443/other", true), ("https://API.example:8443/", true),
            ("https://api.example/v1", false), ("http://api.example:8443/v1", false),
            ("https://api.example.evil:8443/v1", false), ("https://a@api.example:8443/v1", false),
        ] {
            #expect(provider.allows(URL(string: path)) == isAllowed, "\(path)")
        }
    }

    @Test("what is missing or wrong in a property list is named, without its value (WEB-12)")
    func wrongPropertyLists() throws {
        func reason(_ change: (inout [String: Any]) -> Void) throws -> String {
            let list = try propertyList(change)
            let error = #expect(throws: AccountError.self) { try AccountProvider(propertyList: list) }
            #expect(error?.code == .invalidProvider)
            return error?.reason ?? ""
        }
        #expect(try reason { $0["TokenEndpoint"] = nil }.contains("TokenEndpoint"))
        let secret = try reason { $0["ClientSecret"] = ["s3cr3t"] }
        #expect(secret.contains("ClientSecret") && !secret.contains("s3cr3t"))
        #expect(try reason { $0["TokenEndpoint"] = "http://a.example/token" }.contains("http://a.example"))
        #expect(try reason { $0["Resources"] = ["http://api.example"] }.contains("http://api.example"))
        #expect(try reason { $0["Resources"] = ["http://localhost.evil"] }.contains("https"))
        #expect(try reason { $0["Scopes"] = ["a b"] }.contains("scope"))
        #expect(try reason { $0["RedirectPath"] = "/a\r\nX: y" }.contains("redirect"))
        #expect(try reason { $0["ClientID"] = "" }.contains("client identifier"))
        #expect(throws: AccountError.self) { try AccountProvider(propertyList: Data("x".utf8)) }
    }

    @Test("a provider's endpoints are found by its issuer, also below a path (WEB-12)")
    func discovery() async throws {
        let port = Place()
        let server = try ScriptedServer { request, reply in
            guard request.target == "/.well-known/oauth-authorization-server/tenant" else {
                return try reply.respond(404)
            }
            let base = "http://127.0.0.1:\(port.path)"
            try reply.json(
                200, [],
                "{\"issuer\":\"\(base)/tenant\",\"token_endpoint\":\"\(base)/t\",\"authorization_endpoint\":\"\(base)/a\","
                    + "\"device_authorization_endpoint\":\"\(base)/d\",\"code_challenge_methods_supported\":[\"S256\"],"
                    + "\"authorization_response_iss_parameter_supported\":true,"
                    + "\"token_endpoint_auth_methods_supported\":[\"client_secret_post\"]}")
        }
        defer { server.stop() }
        port.path = "\(server.port)"
        let provider = try await AccountProvider.discover(
            issuer: server.url("/tenant"), name: "test", clientID: "client", resources: [server.url("/")])
        #expect(provider.tokenEndpoint == server.url("/t") && provider.deviceEndpoint == server.url("/d"))
        #expect(provider.namesIssuerInRedirects && provider.issuer == server.url("/tenant").absoluteString)
        #expect(provider.clientAuthentication == .post)
        let plain = try AccountProvider.metadataURL(issuer: try #require(URL(string: "https://a.example/")))
        #expect(plain.absoluteString == "https://a.example/.well-known/oauth-authorization-server")
    }

    @Test("a description of another issuer, of http, without S256 or by a redirect is refused (WEB-12)")
    func wrongDescriptions() async throws {
        let answer = Place()
        let server = try ScriptedServer { request, reply in
            if answer.path.isEmpty { return try reply.respond(302, ["Location: /other"]) }
            try reply.json(200, [], answer.path)
        }
        defer { server.stop() }
        let base = server.url("").absoluteString
        func code(_ text: String) async -> AccountError.Code? {
            answer.path = text
            return await accountCode {
                _ = try await AccountProvider.discover(
                    issuer: server.url(""), name: "test", clientID: "client", resources: [server.url("/")])
            }
        }
        #expect(await code("{\"issuer\":\"\(base)\",\"token_endpoint\":\"\(base)/t\"}") == nil)
        #expect(await code("{\"issuer\":\"https://evil\",\"token_endpoint\":\"\(base)/t\"}") == .invalidProvider)
        #expect(await code("{\"issuer\":\"\(base)/\",\"token_endpoint\":\"\(base)/t\"}") == .invalidProvider)
        #expect(await code("{\"issuer\":\"\(base)\",\"token_endpoint\":\"http://evil/t\"}") == .invalidProvider)
        #expect(await code("{\"issuer\":\"\(base)\"}") == .invalidAnswer)
        let plain = "\"code_challenge_methods_supported\":[\"plain\"]"
        #expect(await code("{\"issuer\":\"\(base)\",\"token_endpoint\":\"\(base)/t\",\(plain)}") == .invalidProvider)
        let count = server.requests.count
        #expect(await code("") == .invalidAnswer)
        #expect(server.requests.count == count + 1)
        let http = try #require(URL(string: "http://a.example"))
        let refused = await accountCode {
            _ = try await AccountProvider.discover(issuer: http, name: "a", clientID: "c", resources: [])
        }
        #expect(refused == .invalidProvider)
    }
}
