import CoreDataTransfer
import Foundation
import FoundationNetworking
import TestBasics
import TestServers
import Testing

@Suite struct HTTPServerTests {
    private func data(_ server: ScriptedServer, _ path: String) async throws -> String {
        let bytes = try await TransferSession().data(for: URLRequest(url: server.url(path))).0
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("an HTTP server answers by its script, one response after the other, the last one again (TEST-03)")
    func serverAnswersByScript() async throws {
        let server = try ScriptedServer(script: [
            "GET /heroes": [.status(404), .json(#"["Ann"]"#)], "GET /slow": [.text("late").delayed(0.2)],
        ])
        await #expect(throws: (any Error).self) { try await data(server, "/heroes?page=1") }
        #expect(try await data(server, "/heroes") == #"["Ann"]"#)
        #expect(try await data(server, "/heroes") == #"["Ann"]"#)
        #expect(try await data(server, "/slow") == "late")
        let other = try LoopbackRequest.exchange("GET", port: server.port, path: "/other", body: nil)
        #expect(String(decoding: other, as: UTF8.self) == "the script has no GET /other")
        #expect(server.requests.map(\.target) == ["/heroes?page=1", "/heroes", "/heroes", "/slow", "/other"])
    }

    @Test("a response that is cut off, and a connection that is closed, are errors of the client (TEST-03)")
    func brokenResponsesAreErrors() async throws {
        let server = try ScriptedServer(script: ["GET /cut": [.text("0123456789").cutOff()], "GET /closed": [.closed]])
        await #expect(throws: (any Error).self) { try await data(server, "/cut") }
        await #expect(throws: (any Error).self) { try await data(server, "/closed") }
    }

    @Test("the server listens on the loopback address, and ends with the last reference (TEST-03)")
    func serverEndsWithLastReference() async throws {
        var server: ScriptedServer? = try ScriptedServer(script: ["GET /": [.text("here")]])
        let port = try #require(server?.port)
        let there = try LoopbackRequest.exchange("GET", port: port, path: "/", body: nil)
        #expect(String(decoding: there, as: UTF8.self) == "here")
        server = nil
        _ = server
        await eventually("nothing listens") {
            (try? LoopbackRequest.exchange("GET", port: port, path: "/", body: nil)) == nil
        }
    }

    @Test(
        "TEST-03: bytes that form no request close the connection, and the server goes on",
        arguments: [
            "no request at all\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 99999999999999\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\n",
        ])
    func hostileBytesCloseConnection(_ bytes: String) async throws {
        let server = try ScriptedServer(script: ["GET /": [.text("here")]])
        let connection = try LoopbackConnection(port: server.port)
        try connection.write(Data(bytes.utf8))
        #expect((try? connection.read(1)) == nil)
        #expect(try await data(server, "/") == "here")
    }
}
