import CoreData
import FoundationNetworking
import TestBasics
import Testing

@Suite struct BrowseTests {
    @Test(
        "One line with the address is printed, and the server ends in order on a signal",
        arguments: [SIGINT, SIGTERM])
    func oneLineWithAddressIsPrinted(signal: Int32) throws {
        let diary = try Diary()
        defer { diary.remove() }
        let server = try BrowseServer(diary.store, [])
        defer { try? FileManager.default.removeItem(at: server.folder) }
        eventually("the address") { server.text.hasSuffix("\n") }
        let line = server.text
        #expect(line.wholeMatch(of: /http:\/\/127\.0\.0\.1:\d+\/\?code=[\w-]{43}\n/) != nil)
        let port = server.port
        let other = try BrowseServer(diary.store, ["--port", "\(port)"])
        defer { try? FileManager.default.removeItem(at: other.folder) }
        eventually("the other's address") { other.text.hasSuffix("\n") }
        #expect(other.port > port)
        #expect(other.errorText.contains("port \(port) is taken"))
        for server in [server, other] {
            server.end(signal)
            let (reason, status) = (server.process.terminationReason, server.process.terminationStatus)
            #expect(reason == .exit && status == 0)
            #expect(server.text.split(separator: "\n").count == 1)
        }
        let again = try BrowseServer(diary.store, [], in: server.folder)
        eventually("the address again") { again.text.hasSuffix("\n") }
        #expect(again.port == port)
        again.end(signal)
    }

    @Test("A missing store, an invalid port and a token that is easy to guess are refused")
    func unusableOperandsAreRefused() throws {
        let diary = try Diary()
        defer { diary.remove() }
        let missing = try Tool.run("browse", "/no/such/store", "--no-open")
        #expect(missing.code == 1 && missing.errors.contains("/no/such/store"))
        let port = try Tool.run("browse", diary.store.path, "--no-open", "--port", "70000")
        #expect(port.code == 1 && port.errors.contains("70000"))
        let file = diary.store.deletingLastPathComponent().appendingPathComponent("token")
        try Data("short\n".utf8).write(to: file)
        let token = try Tool.run("browse", diary.store.path, "--no-open", "--token-file", file.path)
        #expect(token.code == 1 && token.errors.contains("16 characters") && token.errors.contains(file.path))
    }

    @Test("a token's file that is not there is made for its owner alone, and opens what programs ask for (BRW-52)")
    func tokenFile() async throws {
        let diary = try Diary()
        defer { diary.remove() }
        let file = diary.store.deletingLastPathComponent().appendingPathComponent("token")
        let first = try BrowseServer(diary.store, ["--token-file", file.path])
        defer { try? FileManager.default.removeItem(at: first.folder) }
        await eventually("the address") { first.text.hasSuffix("\n") }
        let token = try String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .newlines)
        #expect(token.utf8.count == 43)
        #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
        func status(_ sent: String?) async throws -> Int? {
            var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(first.port)/stores/1.json")))
            if let sent { request.setValue("Bearer \(sent)", forHTTPHeaderField: "Authorization") }
            return (try await URLSession.shared.data(for: request).1 as? HTTPURLResponse)?.statusCode
        }
        let statuses = [try await status(token), try await status(token + "x"), try await status(nil)]
        #expect(statuses == [200, 401, 401])
        first.end(SIGTERM)
        // The next start reads it; one that others may read is told of.
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        let again = try BrowseServer(diary.store, ["--token-file", file.path], in: first.folder)
        await eventually("the address again") { again.text.hasSuffix("\n") }
        #expect(again.errorText.contains("chmod 600"))
        #expect(try String(contentsOf: file, encoding: .utf8) == token + "\n")
        again.end(SIGTERM)
        let missing = try Tool.run("browse", diary.store.path, "--no-open", "--token-file", "/no/such/folder/token")
        #expect(missing.code == 1 && missing.errors.contains("/no/such/folder/token"))
    }
}
