import CoreData
import TestBasics
import TestServers
import Testing

/// A copy between a file and a server that is killed again and again, each time at another round trip to the server.
///
/// A proxy keeps the request or the answer of the round trip back, so the process is there when it is killed, however fast
/// or busy the machine is.
struct KilledCopy {
    private static let rows = 24_000

    let source: String
    let target: String
    private let gallery: Gallery
    private let server: PostgresServer
    private let schema: String
    private let isBack: Bool
    private let proxy: FaultProxy

    /// - Parameter isBack: whether the copy goes from the server to the file.
    init(_ gallery: Gallery, _ server: PostgresServer, isBack: Bool) throws {
        (self.gallery, self.server, self.isBack) = (gallery, server, isBack)
        let items = URLComponents(url: server.makeURL("killed"), resolvingAgainstBaseURL: false)?.queryItems
        schema = try #require(items?.last?.value)
        proxy = try FaultProxy(to: server)
        // The server knows the sessions of the copy by the name.
        let remote = proxy.url(schema: schema).absoluteString + "&application_name=\(schema)"
        (source, target) =
            isBack ? (remote, gallery.file("Killed.sqlite").path) : (gallery.store.path, remote)
    }

    /// Makes rows for several transactions, and the store on the server if it is the source.
    func fill() throws {
        let lines = (0..<Self.rows).map {
            "{\"entity\":\"Work\",\"code\":\"C\($0)\",\"title\":\"t\($0)\",\"large\":\($0)}"
        }
        let imported = try gallery.run("import", gallery.store.path, "-", input: lines.joined(separator: "\n"))
        try #require(imported.code == 0, "\(imported.errors)")
        guard isBack else { return }
        let copied = try gallery.run("copy", gallery.store.path, server.url(schema: schema).absoluteString)
        try #require(copied.code == 0, "\(copied.errors)")
    }

    /// Begins the copy, or goes on with it, and kills it at its first round trip, then at a later one, until it has
    /// ended by itself or the store is there. Gives how many kills left some of the rows, and not all.
    func killAtEveryRoundTrip() throws -> Int {
        var (number, partial) = (0, 0)
        while try kill(at: number + 1, before: number.isMultiple(of: 2)) {
            number += TestSeed.isExhaustive ? 1 : 2
            try #require(number < 300, "the copy does not end")
            let opened = try Tool.run(
                "inspect", isBack ? target + ".unfinished" : server.url(schema: schema).absoluteString)
            if opened.code == 0 { break }
            let isUnfinished = opened.errors.contains("unfinished copy")
            if isUnfinished, hasSomeRows { partial += 1 }
        }
        return partial
    }

    /// Runs the copy until it waits for a round trip of a number, and kills it; false where it ended before.
    private func kill(at number: Int, before isBefore: Bool) throws -> Bool {
        let hits = proxy.hits
        proxy.arm(isBefore ? .stallBeforeRequest : .stallBeforeAnswer, at: number)
        defer { proxy.disarm() }
        let child = try Child(
            ["copy", source, target, "--model", gallery.model.path], of: Tool.url, errors: .nullDevice)
        var hasEnded = false
        eventually("round trip \(number) of the copy, or its end") {
            if case .end = child.word(within: 1) { hasEnded = true }
            return hasEnded || proxy.hits > hits
        }
        guard proxy.hits > hits else {
            #expect(child.status() == 0)
            return false
        }
        child.kill()
        // The server learns from the proxy that its client is gone, and lets go of the lock.
        proxy.endConnections()
        eventually("the end of the killed copy's sessions") {
            isTrue("SELECT 1 / (count(*) = 0)::int FROM pg_stat_activity WHERE application_name = '\(schema)'")
        }
        return true
    }

    /// Whether a statement of the server does not fail.
    private func isTrue(_ statement: String) -> Bool { (try? server.execute(statement)) != nil }

    private var hasSomeRows: Bool {
        guard isBack else {
            return isTrue("SELECT 1 / (count(*) BETWEEN 1 AND \(Self.rows - 1))::int FROM \(schema).zwork")
        }
        let file = URL(fileURLWithPath: target + ".unfinished")
        let count = (try? Database.text(file, "SELECT count(*) FROM ZWORK")).flatMap { $0 }.flatMap { Int($0) } ?? 0
        return (1..<Self.rows).contains(count)
    }
}
