import CoreDataTransfer
import Foundation
import FoundationNetworking
import LockKit
import TestBasics
import TestServers
import Testing

@Suite struct DownloadTests {
    let session = TransferSession()
    let folder: TemporaryFolder
    let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.url.appendingPathComponent("a.bin")
    }

    private var files: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)) ?? []).sorted()
    }

    /// A file of a server, of which each request gets no more than the first part that is missing to it.
    private final class ServedFile: Sendable {
        let content = Locked(Data.pattern(1_000_000))
        let tag = Locked("\"v1\"")
        let part = Locked(Int.max)

        func server() throws -> ScriptedServer {
            try ScriptedServer { [self] request, reply in
                let (content, tag) = (content.withLock { $0 }, tag.withLock { $0 })
                let start = request.field("Range").flatMap { Int($0.dropFirst("bytes=".count).dropLast()) } ?? 0
                let isRange = start > 0 && request.field("If-Range") == tag
                if isRange, start >= content.count { return try reply.respond(416) }
                let rest = isRange ? content[start...] : content[...]
                let range = "Content-Range: bytes \(start)-\(content.count - 1)/\(content.count)"
                let fields = ["ETag: \(tag)", "Content-Length: \(rest.count)"] + (isRange ? [range] : [])
                try reply.send("HTTP/1.1 \(isRange ? 206 : 200) OK\r\n" + fields.joined(separator: "\r\n") + "\r\n\r\n")
                let part = part.withLock { $0 }
                try reply.send(Data(rest.prefix(part)))
                if part < rest.count { reply.close() }
            }
        }
    }

    @Test("an interrupted download continues where it was (WEB-08)")
    func resumes() async throws {
        let served = ServedFile()
        let server = try served.server()
        defer { server.stop() }
        served.part.withLock { $0 = 300_000 }
        let request = URLRequest(url: server.url("/a"))
        for _ in 0..<3 {
            #expect(await transferCode { try await session.download(for: request, to: file) } == .incompleteBody)
            #expect(files == ["a.bin.partial", "a.bin.partial.plist"])
        }
        let response = try await session.download(for: request, to: file)
        #expect(response.statusCode == 206)
        #expect(try Data(contentsOf: file) == served.content.withLock { $0 })
        #expect(files == ["a.bin"])
        #expect(server.requests.map { $0.field("Range") } == [nil, "bytes=300000-", "bytes=600000-", "bytes=900000-"])
    }

    @Test("a file that changed between the parts is begun again (WEB-08)", arguments: ["\"v2\"", "\"v1\""])
    func changedContent(tag: String) async throws {
        let served = ServedFile()
        let server = try served.server()
        defer { server.stop() }
        served.part.withLock { $0 = 300_000 }
        let request = URLRequest(url: server.url("/a"))
        #expect(await transferCode { try await session.download(for: request, to: file) } == .incompleteBody)
        let changed = Data(repeating: 7, count: 700_000)
        // With the same tag the whole size tells them apart.
        served.content.withLock { $0 = changed }
        served.tag.withLock { $0 = tag }
        served.part.withLock { $0 = .max }
        try await session.download(for: request, to: file)
        #expect(try Data(contentsOf: file) == changed)
    }

    @Test("a file that became shorter than what came is begun again (WEB-08)")
    func shorterContent() async throws {
        let served = ServedFile()
        let server = try served.server()
        defer { server.stop() }
        served.part.withLock { $0 = 300_000 }
        let request = URLRequest(url: server.url("/a"))
        #expect(await transferCode { try await session.download(for: request, to: file) } == .incompleteBody)
        served.content.withLock { $0 = Data(count: 10) }
        try await session.download(for: request, to: file)
        #expect(try Data(contentsOf: file) == Data(count: 10))
        #expect(server.requests.count == 3)
    }

    @Test("a download that gets nothing leaves what another URL's download has (WEB-08)")
    func leavesOtherParts() async throws {
        let served = ServedFile()
        let server = try served.server()
        defer { server.stop() }
        served.part.withLock { $0 = 300_000 }
        let request = URLRequest(url: server.url("/a"))
        #expect(await transferCode { try await session.download(for: request, to: file) } == .incompleteBody)
        let silent = try ScriptedServer { _, reply in reply.close() }
        defer { silent.stop() }
        let other = URLRequest(url: silent.url("/b"))
        #expect(await transferCode { try await session.download(for: other, to: file) } == .connectionLost)
        #expect(files == ["a.bin.partial", "a.bin.partial.plist"])
        served.part.withLock { $0 = .max }
        try await session.download(for: request, to: file)
        #expect(server.requests.map { $0.field("Range") } == [nil, "bytes=300000-"])
    }

    @Test("a length beside chunks or without a body does not count as a size (WEB-08)")
    func lengthsThatDoNotCount() async throws {
        let server = try ScriptedServer { request, reply in
            if request.method == "HEAD" { return try reply.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n") }
            try reply.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nTransfer-Encoding: chunked\r\n\r\n")
            try reply.send("5\r\nabcde\r\n0\r\n\r\n")
        }
        defer { server.stop() }
        var request = URLRequest(url: server.url("/a"))
        try await session.download(for: request, to: file)
        #expect(try Data(contentsOf: file) == Data("abcde".utf8))
        request.httpMethod = "HEAD"
        try await session.download(for: request, to: file)
        #expect(try Data(contentsOf: file).isEmpty)
    }

    @Test("a range that is missing has no content, whatever statuses are accepted (WEB-08)")
    func missingRangeWhereAllIsAccepted() async throws {
        let served = ServedFile()
        let server = try served.server()
        defer { server.stop() }
        served.part.withLock { $0 = 300_000 }
        let request = URLRequest(url: server.url("/a"))
        #expect(await transferCode { try await session.download(for: request, to: file) } == .incompleteBody)
        served.content.withLock { $0 = Data(count: 10) }
        var options = TransferOptions()
        options.accepts = .all
        try await session.download(for: request, to: file, options: options)
        #expect(try Data(contentsOf: file) == Data(count: 10))
    }

    @Test("what is known of a partial file is for its owner's eyes (WEB-08)")
    func originIsPrivate() async throws {
        let served = ServedFile()
        let server = try served.server()
        defer { server.stop() }
        served.part.withLock { $0 = 300_000 }
        let request = URLRequest(url: server.url("/a?key=secret"))
        #expect(await transferCode { try await session.download(for: request, to: file) } == .incompleteBody)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path + ".partial.plist")
        #expect(attributes[.posixPermissions] as? NSNumber == 0o600)
    }

    @Test("a partial file that was replaced while it was written is not put in place (WEB-08)")
    func replacedPartialFile() async throws {
        let partial = file.path + ".partial"
        let server = try ScriptedServer { _, reply in
            try reply.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n01234")
            while !FileManager.default.fileExists(atPath: partial) { usleep(1_000) }
            try FileManager.default.removeItem(atPath: partial)
            try Data("other".utf8).write(to: URL(fileURLWithPath: partial))
            try reply.send("56789")
        }
        defer { server.stop() }
        let request = URLRequest(url: server.url("/a"))
        #expect(await transferCode { try await session.download(for: request, to: file) } == .unwritableFile)
        #expect(try Data(contentsOf: URL(fileURLWithPath: partial)) == Data("other".utf8))
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test("a server that sends less than the rest is asked once more (WEB-08)")
    func shortRange() async throws {
        let whole = Data.pattern(1_000)
        let server = try ScriptedServer { request, reply in
            guard let start = request.field("Range").flatMap({ Int($0.dropFirst(6).dropLast()) }) else {
                try reply.send("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 1000\r\n\r\n")
                try reply.send(Data(whole.prefix(300)))
                return reply.close()
            }
            let end = min(start + 400, 1_000)
            let range = "Content-Range: bytes \(start)-\(end - 1)/1000"
            try reply.respond(206, ["ETag: \"v1\"", range], body: Data(whole[start..<end]))
        }
        defer { server.stop() }
        let request = URLRequest(url: server.url("/a"))
        for _ in 0..<2 {
            #expect(await transferCode { try await session.download(for: request, to: file) } == .incompleteBody)
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }
        try await session.download(for: request, to: file)
        #expect(try Data(contentsOf: file) == whole)
    }

    @Test("a file that a server encodes unasked is decoded, and not continued (WEB-08)")
    func encodedFile() async throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "head -c 100000 /dev/zero | gzip -c"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let encoded = try output.fileHandleForReading.readToEnd() ?? Data()
        let server = try ScriptedServer { _, reply in
            try reply.respond(200, ["ETag: \"v1\"", "Content-Encoding: gzip"], body: encoded)
        }
        defer { server.stop() }
        try await session.download(for: URLRequest(url: server.url("/a")), to: file)
        #expect(try Data(contentsOf: file) == Data(count: 100_000))
        #expect(server.requests.first?.field("Accept-Encoding") == "identity")
    }

    @Test("many downloads to one place at once end with one whole file, or as in use (WEB-08)")
    func manyAtOnce() async throws {
        let server = try ScriptedServer { request, reply in
            try reply.respond(body: Data(repeating: UInt8(request.path.dropFirst()) ?? 0, count: 50_000))
        }
        defer { server.stop() }
        for _ in 0..<10 {
            let codes = await withTaskGroup(of: TransferError.Code?.self) { group in
                for number in 0..<8 {
                    group.addTask { [session, file] in
                        await transferCode {
                            try await session.download(for: URLRequest(url: server.url("/\(number)")), to: file)
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.contains(nil) && codes.allSatisfy { $0 == nil || $0 == .fileInUse }, "\(codes)")
            let content = try Data(contentsOf: file)
            #expect(content.count == 50_000 && Set(content).count == 1)
        }
    }

    @Test("without a strong version nothing is continued (WEB-08)", arguments: ["W/\"v1\"", ""])
    func weakVersion(tag: String) async throws {
        let served = ServedFile()
        served.tag.withLock { $0 = tag }
        let server = try served.server()
        defer { server.stop() }
        served.part.withLock { $0 = 300_000 }
        let request = URLRequest(url: server.url("/a"))
        #expect(await transferCode { try await session.download(for: request, to: file) } == .incompleteBody)
        served.part.withLock { $0 = .max }
        try await session.download(for: request, to: file)
        #expect(server.requests.allSatisfy { $0.field("Range") == nil })
        #expect(try Data(contentsOf: file) == served.content.withLock { $0 })
    }

    @Test("a date of change is a version if it lies a minute back (WEB-08)", arguments: [true, false])
    func dateAsVersion(isOld: Bool) async throws {
        let changed = "Sun, 29 Feb 2004 23:59:59 GMT"
        let now = isOld ? "Mon, 01 Mar 2004 00:00:59 GMT" : "Mon, 01 Mar 2004 00:00:58 GMT"
        let server = try ScriptedServer { _, reply in
            try reply.send(
                "HTTP/1.1 200 OK\r\nLast-Modified: \(changed)\r\nDate: \(now)\r\nContent-Length: 9\r\n\r\nabc")
            reply.close()
        }
        defer { server.stop() }
        let request = URLRequest(url: server.url("/a"))
        for _ in 0..<2 { _ = await transferCode { try await session.download(for: request, to: file) } }
        #expect(server.requests.last?.field("If-Range") == (isOld ? changed : nil))
        #expect(server.requests.last?.field("Range") == (isOld ? "bytes=3-" : nil))
    }

    @Test("a download that fails leaves the former file (WEB-08)")
    func formerFileStays() async throws {
        try Data("former".utf8).write(to: file)
        let server = try ScriptedServer { request, reply in
            if request.path == "/404" { return try reply.respond(404, text: "not here") }
            try reply.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
            reply.close()
        }
        defer { server.stop() }
        for path in ["/404", "/half"] {
            let code = await transferCode {
                try await session.download(for: URLRequest(url: server.url(path)), to: file)
            }
            #expect(code == (path == "/404" ? .status(404) : .incompleteBody))
            #expect(try Data(contentsOf: file) == Data("former".utf8))
            #expect(files == (path == "/404" ? ["a.bin"] : ["a.bin", "a.bin.partial"]))
        }
    }

    @Test("a cancelled download keeps what came and goes on later (WEB-08)")
    func cancelled() async throws {
        let served = ServedFile()
        let sent = DispatchSemaphore(value: 0)
        let whole = served.content.withLock { $0 }
        let server = try ScriptedServer { request, reply in
            guard request.field("Range") == nil else {
                let start = Int(request.field("Range")?.dropFirst(6).dropLast() ?? "") ?? 0
                let range = "Content-Range: bytes \(start)-\(whole.count - 1)/\(whole.count)"
                return try reply.respond(206, ["ETag: \"v1\"", range], body: Data(whole[start...]))
            }
            try reply.send("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: \(whole.count)\r\n\r\n")
            try reply.send(Data(whole.prefix(500_000)))
            sent.signal()
            _ = reply.clientCloses(within: 30)
            reply.close()
        }
        defer { server.stop() }
        let request = URLRequest(url: server.url("/a"))
        let task = Task { [session, file] in try await session.download(for: request, to: file) }
        await Task.detached { sent.wait() }.value
        let partial = file.path + ".partial"
        while (try FileManager.default.attributesOfItem(atPath: partial)[.size] as? Int) != 500_000 {
            try await Task.sleep(for: .milliseconds(5))
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await session.download(for: request, to: file)
        #expect(try Data(contentsOf: file) == whole)
        #expect(server.requests.last?.field("Range") == "bytes=500000-")
    }

    @Test("two downloads to one place do not mix (WEB-08)")
    func fileInUse() async throws {
        let release = DispatchSemaphore(value: 0)
        let begun = DispatchSemaphore(value: 0)
        let server = try ScriptedServer { _, reply in
            begun.signal()
            release.wait()
            try reply.respond(text: "first")
        }
        defer { server.stop() }
        let request = URLRequest(url: server.url("/a"))
        let first = Task { [session, file] in try await session.download(for: request, to: file) }
        await Task.detached { begun.wait() }.value
        #expect(await transferCode { try await session.download(for: request, to: file) } == .fileInUse)
        release.signal()
        _ = try await first.value
        #expect(try Data(contentsOf: file) == Data("first".utf8))
    }

    @Test("a file that cannot be written is named with the reason (WEB-08)")
    func unwritableFile() async throws {
        let server = try ScriptedServer { _, reply in try reply.respond(text: "a") }
        defer { server.stop() }
        let place = folder.url.appendingPathComponent("missing/a.bin")
        let error = await transferError {
            try await session.download(for: URLRequest(url: server.url("/")), to: place)
        }
        #expect(error?.code == .unwritableFile)
        #expect(error?.reason.contains(place.path) == true && error?.reason.contains("No such file") == true)
    }

    @Test("a large file is downloaded in little memory, with fractions that rise to 1 (WEB-08, WEB-09)")
    func largeFile() async throws {
        let (count, part) = (100, Data(count: 1_000_000))
        let server = try ScriptedServer { _, reply in
            try reply.send("HTTP/1.1 200 OK\r\nContent-Length: \(count * part.count)\r\n\r\n")
            for _ in 0..<count { try reply.send(part) }
        }
        defer { server.stop() }
        let fractions = Collected<Double>()
        var options = TransferOptions()
        options.onProgress = { if let fraction = $0.fraction { fractions.append(fraction) } }
        let before = Self.residentBytes
        try await session.download(for: URLRequest(url: server.url("/")), to: file, options: options)
        #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int == count * part.count)
        // Other tests of the process are at work too.
        #expect(Self.residentBytes - before < 60_000_000)
        #expect(fractions.values.last == 1)
        #expect(zip(fractions.values, fractions.values.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(fractions.values.allSatisfy { (0...1).contains($0) })
    }

    private static var residentBytes: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4_096
    }
}
