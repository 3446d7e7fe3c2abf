import Dispatch
import Foundation
import FoundationNetworking
import LockKit
import TestBasics
import TestServers
import Testing

@testable import CoreDataTransfer

/// A time that a test sets.
private final class TestTime: Sendable {
    private let time = Locked(Date(timeIntervalSince1970: 1_800_000_000))

    func advance(_ seconds: Double) { time.withLock { $0 += seconds } }

    var configuration: PictureConfiguration {
        var configuration = PictureConfiguration()
        configuration.now = { [self] in time.withLock { $0 } }
        return configuration
    }
}

@Suite struct PictureLoaderTests {
    private let time = TestTime()
    private let session = TransferSession()

    private func loader(_ cache: any PictureCache = MemoryPictureCache()) -> PictureLoader {
        PictureLoader(cache: cache, configuration: time.configuration, session: session)
    }

    @Test("many who ask for one URL cause one request; 60 URLs are loaded three at a time (WEB-11)")
    func oneRequest() async throws {
        let server = try ScriptedServer { request, reply in
            Thread.sleep(forTimeInterval: 0.002)
            try reply.picture(TestPicture.png(Int(request.path.dropFirst()) ?? 0, 1))
        }
        defer { server.stop() }
        let loader = loader()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<300 {
                group.addTask {
                    let width = number % 60 + 1
                    let picture = try await loader.picture(at: server.url("/\(width)#part-\(number)"))
                    #expect(picture.header.width == width && picture.header.format == .png)
                }
            }
            try await group.waitForAll()
        }
        #expect(Set(server.requests.map(\.target)).count == 60 && server.requests.count == 60)
        #expect(server.greatestAtWork == 3)
    }

    /// Rows as a list on the main actor has them.
    @MainActor private final class ListRow {
        let row: PictureRow
        var asked: URL?
        var shown: [URL] = []

        init(_ loader: PictureLoader) { row = loader.row() }

        func show(_ url: URL) -> Task<Void, Never> {
            asked = url
            let request = row.request(url)
            return Task {
                guard let picture = try? await request.picture() else { return }
                #expect(picture.url == asked)
                shown.append(picture.url)
            }
        }
    }

    @Test("rows that are used again fast end with their own pictures, and never show one of before (WEB-11)")
    @MainActor func fastScrolling() async throws {
        let server = try ScriptedServer { request, reply in
            Thread.sleep(
                forTimeInterval: Double(request.path.utf8.last ?? 0).truncatingRemainder(dividingBy: 4) / 1_000)
            try reply.picture(TestPicture.png(Int(request.path.dropFirst()) ?? 0, 1))
        }
        defer { server.stop() }
        let loader = loader()
        let rows = (0..<8).map { _ in ListRow(loader) }
        var tasks: [Task<Void, Never>] = []
        for step in 0..<40 {
            for (index, row) in rows.enumerated() { tasks.append(row.show(server.url("/\(step * 8 + index + 1)"))) }
            if step % 5 == 0 { try await Task.sleep(for: .milliseconds(2)) } else { await Task.yield() }
        }
        for task in tasks { await task.value }
        for (index, row) in rows.enumerated() { #expect(row.shown.last == server.url("/\(39 * 8 + index + 1)")) }
        #expect(session.activeTransferCount == 0)
    }

    @Test(
        "a row's earlier request is cancelled, and its late answer not delivered, unless another row wants it (WEB-11)")
    @MainActor func lateAnswers() async throws {
        let mayAnswer = DispatchSemaphore(value: 0)
        let closed = Collected<Bool>()
        let server = try ScriptedServer { request, reply in
            if request.path == "/left" { return closed.append(reply.clientCloses(within: 30)) }
            if request.path == "/shared" { mayAnswer.wait(for: "the second request") }
            try reply.picture(TestPicture.png(1, 1))
        }
        defer { server.stop() }
        let loader = loader()
        let (first, second) = (loader.row(), loader.row())
        let (there, shown) = (server.url("/left"), server.url("/shared"))
        let left = first.request(there)
        await eventually("the first request") { server.requests.count == 1 }
        let (shared, other) = (first.request(shown), second.request(shown))
        await #expect(throws: CancellationError.self) { try await left.picture() }
        await eventually("both rows to wait") { loader.waiterCount(of: shown) == 2 }
        let last = first.request(server.url("/last"))
        #expect(try await last.picture().url == server.url("/last"))
        await #expect(throws: CancellationError.self) { try await shared.picture() }
        mayAnswer.signal()
        #expect(try await other.picture().url == shown)
        #expect(server.requests.map(\.path).sorted() == ["/last", "/left", "/shared"])
        await eventually("the end of the first request") { closed.values == [true] }
        let cleared = first.request(there)
        await eventually("the request") { server.requests.count == 4 }
        first.clear()
        await #expect(throws: CancellationError.self) { try await cleared.picture() }
    }

    @Test(
        "a fresh picture causes no request, a stale one a conditional one, by tag or by date (WEB-11)",
        arguments: [true, false])
    func revalidation(hasTag: Bool) async throws {
        let version = Locked(1)
        let server = try ScriptedServer { request, reply in
            let current = version.withLock { $0 }
            let field = hasTag ? "ETag: \"\(current)\"" : "Last-Modified: Mon, 0\(current) Jan 2024 00:00:00 GMT"
            let condition = request.field(hasTag ? "If-None-Match" : "If-Modified-Since")
            if condition == String(field.drop { $0 != ":" }.dropFirst(2)) {
                return try reply.send("HTTP/1.1 304 Same\r\nCache-Control: max-age=50\r\n\r\n")
            }
            try reply.picture(TestPicture.png(current, 1), [field, "Cache-Control: private, max-age=100", "Age: 40"])
        }
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let cache = try FolderPictureCache(folder: folder.url)
        func width() async throws -> Int { try await loader(cache).picture(at: server.url("/a")).header.width }
        #expect(try await width() == 1)
        time.advance(59)
        #expect(try await width() == 1)
        #expect(server.requests.count == 1)
        time.advance(2)
        #expect(try await width() == 1)
        #expect(server.requests.count == 2)
        time.advance(49)
        #expect(try await width() == 1)
        #expect(server.requests.count == 2)
        version.withLock { $0 = 2 }
        time.advance(2)
        #expect(try await width() == 2)
        #expect(server.requests.count == 3)
    }

    @Test("what the server forbids to keep is not kept, and what it wants to be asked for is (WEB-11)")
    func cacheControl() async throws {
        let server = try ScriptedServer { request, reply in
            let control = request.path == "/none" ? "no-store" : request.path == "/ask" ? "no-cache" : "public"
            let expires = request.path == "/past" ? ["Expires: 0"] : ["Cache-Control: \(control)"]
            try reply.picture(TestPicture.png(1, 1), expires)
        }
        defer { server.stop() }
        let cache = MemoryPictureCache()
        for path in ["/none", "/ask", "/past", "/other"] {
            for _ in 0..<2 { _ = try await loader(cache).picture(at: server.url(path)) }
        }
        let counts = Dictionary(grouping: server.requests, by: \.path).mapValues(\.count)
        #expect(counts == ["/none": 2, "/ask": 2, "/past": 2, "/other": 1])
        #expect(cache.picture(for: server.url("/none")) == nil)
    }

    @Test("a failure is the answer for half a minute, without another request (WEB-11)")
    func failures() async throws {
        let server = try ScriptedServer { request, reply in
            switch request.path {
            case "/page": try reply.respond(200, ["Content-Type: text/html"], text: "<html>")
            case "/typed": try reply.picture(Data("<html>".utf8))
            case "/drawing": try reply.picture(Data("<svg/>".utf8), type: "image/svg+xml")
            case "/large": try reply.picture(TestPicture.png(10_000, 10_000))
            case "/long": try reply.picture(TestPicture.png(1, 1, padding: 21 << 20))
            default: try reply.respond(404)
            }
        }
        defer { server.stop() }
        let loader = loader()
        func error(_ path: String) async -> (any Error)? {
            do {
                _ = try await loader.picture(at: server.url(path))
                return nil
            } catch { return error }
        }
        for _ in 0..<3 {
            #expect((await error("/gone") as? TransferError)?.code == .status(404))
            #expect((await error("/page") as? TransferError)?.code == .contentType("text/html"))
            #expect((await error("/long") as? TransferError)?.code == .bodyTooLarge)
            for path in ["/typed", "/drawing"] {
                let failure = await error(path) as? PictureError
                #expect(failure == PictureError(code: .unknownFormat, url: server.url(path)))
            }
            let large = await error("/large") as? PictureError
            #expect(large?.code == .tooManyPixels(10_000, 10_000))
        }
        #expect(server.requests.count == 6)
        time.advance(31)
        _ = await error("/gone")
        #expect(server.requests.count == 7)
    }

    @Test("while the server is down its old picture is shown; once it is gone, no longer (WEB-11)")
    func serverDown() async throws {
        let status = Locked(200)
        let server = try ScriptedServer { request, reply in
            let now = status.withLock { $0 }
            if now == 200 { return try reply.picture(TestPicture.png(1, 1)) }
            try reply.respond(now)
        }
        defer { server.stop() }
        let (cache, url) = (MemoryPictureCache(), server.url("/a"))
        _ = try await loader(cache).picture(at: url)
        status.withLock { $0 = 503 }
        time.advance(301)
        for _ in 0..<2 { #expect(try await loader(cache).picture(at: url).header.width == 1) }
        #expect(server.requests.count == 2)
        status.withLock { $0 = 410 }
        time.advance(31)
        #expect(await transferCode { _ = try await loader(cache).picture(at: url) } == .status(410))
        #expect(cache.picture(for: url) == nil)
    }

    @Test(
        "a cancelled caller leaves those who still wait, and a task that was cancelled before asks for nothing (WEB-11)"
    )
    func cancellation() async throws {
        let mayAnswer = DispatchSemaphore(value: 0)
        let server = try ScriptedServer { request, reply in
            mayAnswer.wait(for: "the cancellation")
            try reply.picture(TestPicture.png(1, 1))
        }
        defer { server.stop() }
        let (loader, url) = (loader(), server.url("/a"))
        let cancelled = Task { try await loader.picture(at: url) }
        let waiting = Task { try await loader.picture(at: url) }
        await eventually("both to wait") { loader.waiterCount(of: url) == 2 }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        mayAnswer.signal()
        #expect(try await waiting.value.header.width == 1)
        let never = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await loader.picture(at: server.url("/b"))
        }
        await #expect(throws: CancellationError.self) { try await never.value }
        #expect(server.requests.count == 1)
    }
}
