import DiscoveryKit
import Foundation
import TestBasics
import TestServers
import Testing

@Suite(
    "Services over the Avahi daemon", .serialized,
    .enabled(if: DiscoveryServer.isAvailable, "\(DiscoveryServer.missing)"),
    .timeLimit(.minutes(3)))
struct OperationTests {
    private let server: DiscoveryServer

    init() throws { server = try DiscoveryServer.shared.get() }

    /// A name of a type that no other test has.
    private func newType() throws -> ServiceType {
        try ServiceType(name: "t\(UUID().uuidString.lowercased().filter(\.isHexDigit).prefix(12))")
    }

    private func publish(
        _ name: String, _ type: ServiceType, port: UInt16 = 4711, text: TextRecord = .empty, renames: Bool = true
    ) throws -> (publication: ServicePublication, events: Recorder<ServicePublication.Event>) {
        let events = Recorder<ServicePublication.Event>()
        let service = PublishedService(name: name, type: type, port: port, text: text)
        let publication = try ServicePublication(service, renames: renames) { events.add($0) }
        publication.start()
        return (publication, events)
    }

    private func browse(
        _ type: ServiceType
    ) throws -> (browsing: ServiceBrowsing, events: Recorder<ServiceBrowsing.Event>) {
        let events = Recorder<ServiceBrowsing.Event>()
        let browsing = try ServiceBrowsing(type) { events.add($0) }
        browsing.start()
        return (browsing, events)
    }

    private func names(_ events: [ServiceBrowsing.Event]) -> [String] {
        events.map {
            switch $0 {
            case .found(let service, _): "+\(service.name)"
            case .removed(let service, _): "-\(service.name)"
            case .interrupted(let error): "?\(error.code)"
            case .failed(let error): "!\(error.code)"
            }
        }
    }

    @Test("a service is published, found, resolved and vanishes, and avahi-browse sees it (PEER-15)")
    func life() async throws {
        let type = try newType()
        let text = try TextRecord([.init("b", Array("2".utf8)), .init("a", Array("1".utf8)), .init("flag", nil)])
        let (browsing, found) = try browse(type)
        let (publication, published) = try publish("Zoë’s; Game", type, text: text)
        await eventually("the announcement") { published.events == [.published(name: "Zoë’s; Game")] }
        await eventually("the discovery") { names(found.events) == ["+Zoë’s; Game"] }
        let judged = try server.browse(type.description)
        #expect(judged.contains { $0.hasPrefix("=;") && $0.contains(";4711;") && $0.contains("\"b=2\"") }, "\(judged)")

        let service = DiscoveredService(name: "Zoë’s; Game", type: type.description, domain: "local")
        let resolved = Recorder<ServiceResolution.Event>()
        let resolution = try ServiceResolution(service, timeout: 20) { resolved.add($0) }
        resolution.start()
        await eventually("an address") { !resolved.events.isEmpty }
        guard case .resolved(let place) = resolved.events.first else {
            Issue.record("\(resolved.events)")
            return
        }
        #expect(place.port == 4711)
        #expect(place.host == "discovery-test.local")
        #expect(Set(place.addresses.map(\.description)).isSubset(of: ["127.0.0.1:4711", "[::1]:4711"]))
        #expect(place.text == text)
        resolution.stop()
        publication.stop()
        await eventually("the removal") { names(found.events) == ["+Zoë’s; Game", "-Zoë’s; Game"] }
        browsing.stop()
    }

    @Test("what Avahi's own tool publishes is read in its order, and what it cannot show is left out (PEER-04)")
    func foreignService() async throws {
        let type = try newType()
        let (browsing, found) = try browse(type)
        let process = Process()
        process.executableURL = try Toolchain.url("avahi-publish")
        process.arguments = ["-s", "Foreign", type.description, "4712", "z=26", "a=1", "m=13"]
        process.environment = ProcessInfo.processInfo.environment.merging(server.environment) { $1 }
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try process.run()
        defer { process.terminate() }
        let hidden = Process()
        hidden.executableURL = process.executableURL
        hidden.arguments = ["-s", "Bad\u{1B}[2J", type.description, "4713"]
        (hidden.environment, hidden.standardOutput, hidden.standardError) =
            (process.environment, FileHandle.nullDevice, FileHandle.nullDevice)
        try hidden.run()
        defer { hidden.terminate() }
        await eventually("the judge to see both") {
            ((try? server.browse(type.description)) ?? []).filter { $0.hasPrefix("=") }.count == 2
        }
        #expect(names(found.events) == ["+Foreign"])
        let resolved = Recorder<ServiceResolution.Event>()
        let service = DiscoveredService(name: "Foreign", type: type.description, domain: "local")
        let resolution = try ServiceResolution(service, timeout: 20) { resolved.add($0) }
        resolution.start()
        await eventually("an address") { !resolved.events.isEmpty }
        if case .resolved(let place) = resolved.events.first {
            #expect(place.text.entries.map(\.key) == ["z", "a", "m"])
        }
        resolution.stop()
        browsing.stop()
    }

    @Test("the entries of a record are sent in their order, as a question over the network shows (PEER-04)")
    func orderOfEntries() async throws {
        let type = try newType()
        let keys = ["zebra", "ape", "mouse", "bee", "yak"]
        let (publication, published) = try publish(
            "Order", type, text: try TextRecord(keys.map { .init($0, Array("1".utf8)) }))
        await eventually("the announcement") { !published.events.isEmpty }
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("mdns_query.py")
        let first = try server.runInNetwork("python3", script.path, "Order", type.description)
        #expect(first.output == keys.map { "\($0)=1\n" }.joined())
        publication.update(try TextRecord(keys.reversed().map { .init($0, Array("2".utf8)) }))
        await eventually("the changed record") {
            (try? server.runInNetwork("python3", script.path, "Order", type.description))?.output
                == keys.reversed().map { "\($0)=2\n" }.joined()
        }
        publication.stop()
    }

    @Test("a second service of one name on a machine becomes #2, or fails if names are kept (PEER-15)")
    func renaming() async throws {
        let type = try newType()
        let (first, firstEvents) = try publish("Twin", type)
        await eventually("the first") { firstEvents.events == [.published(name: "Twin")] }
        let (second, secondEvents) = try publish("Twin", type, port: 4712)
        await eventually("the second") { secondEvents.events == [.published(name: "Twin #2")] }
        let (third, thirdEvents) = try publish("Twin", type, port: 4713, renames: false)
        await eventually("the third") { !thirdEvents.events.isEmpty }
        guard case .failed(let error) = thirdEvents.events.first else {
            Issue.record("\(thirdEvents.events)")
            return
        }
        #expect(error.code == .collision)
        let judged = try server.browse(type.description).filter { $0.hasPrefix("=;") }
        #expect(judged.count == 2, "\(judged)")
        for publication in [first, second, third] { publication.stop() }
    }

    @Test("a changed TXT record reaches who watches the service")
    func changedText() async throws {
        let type = try newType()
        let one = try TextRecord([.init("state", Array("waiting".utf8))])
        let two = try TextRecord([.init("state", Array("playing".utf8)), .init("turn", Array("X".utf8))])
        let (publication, published) = try publish("Board", type, text: one)
        await eventually("the announcement") { !published.events.isEmpty }
        let resolved = Recorder<ServiceResolution.Event>()
        let service = DiscoveredService(name: "Board", type: type.description, domain: "")
        let resolution = try ServiceResolution(service, timeout: nil) { resolved.add($0) }
        resolution.start()
        func texts() -> [TextRecord] {
            resolved.events.compactMap { if case .resolved(let place) = $0 { place.text } else { nil } }
        }
        await eventually("the first record") { texts().last == one }
        publication.update(two)
        await eventually("the second record") { texts().last == two }
        resolution.stop()
        publication.stop()
    }

    @Test("names and records at their limits are announced and read (PEER-01, PEER-04)")
    func limits() async throws {
        let type = try ServiceType(name: "abcdefghijklmno")
        let name = String(repeating: "é", count: 31) + "x"
        let entries = (0..<30).map {
            TextRecord.Entry("k\($0)", [UInt8](repeating: 0x76, count: 250 - ($0 > 9 ? 1 : 0)))
        }
        let text = try TextRecord(entries)
        let (publication, published) = try publish(name, type, text: text)
        await eventually("the announcement") { published.events == [.published(name: name)] }
        let resolved = Recorder<ServiceResolution.Event>()
        let resolution = try ServiceResolution(
            DiscoveredService(name: name, type: type.description, domain: "local."), timeout: 20
        ) { resolved.add($0) }
        resolution.start()
        await eventually("an address") { !resolved.events.isEmpty }
        if case .resolved(let place) = resolved.events.first {
            #expect(place.text == text)
        } else {
            Issue.record("\(resolved.events)")
        }
        resolution.stop()
        publication.stop()
    }

    @Test("services that come together say that more are coming, and the last one does not (PEER-15)")
    func moreComing() async throws {
        let type = try newType()
        let published = try (0..<20).map { try publish("Peer \($0)", type) }
        await eventually("the announcements") { published.allSatisfy { !$0.events.events.isEmpty } }
        let (browsing, found) = try browse(type)
        await eventually("all services") { found.events.count == 20 }
        let flags = found.events.map { if case .found(_, let more) = $0 { more } else { false } }
        #expect(flags.contains(true))
        #expect(flags.last == false)
        #expect(Set(names(found.events)).count == 20)
        browsing.stop()
        for publication in published { publication.publication.stop() }
    }

    @Test("what is not there is not resolved, within the time (PEER-15)")
    func timeout() async throws {
        let resolved = Recorder<ServiceResolution.Event>()
        let service = DiscoveredService(name: "Absent", type: try newType().description, domain: "local")
        let resolution = try ServiceResolution(service, timeout: 0.5) { resolved.add($0) }
        resolution.start()
        await eventually("the end of the time") { !resolved.events.isEmpty }
        guard case .failed(let error) = resolved.events.first else {
            Issue.record("\(resolved.events)")
            return
        }
        #expect(error.code == .timedOut)
        #expect(resolved.events.count == 1)
    }

    @Test("starting twice and stopping are harmless, and nothing is reported after the end (PEER-03)")
    func repeatedCalls() async throws {
        let type = try newType()
        let (browsing, found) = try browse(type)
        browsing.start()
        let (publication, published) = try publish("Once", type)
        publication.start()
        await eventually("the discovery") { names(found.events) == ["+Once"] && published.events.count == 1 }
        let stopped = Recorder<Bool>()
        for _ in 0..<3 { browsing.stop { stopped.add(true) } }
        await eventually("the stops") { stopped.events.count == 3 }
        publication.stop()
        publication.stop()
        publication.start()
        await eventually("the second announcement") { published.events.count == 2 }
        #expect(found.events.count == 1)
        browsing.start()
        await eventually("the second discovery") { names(found.events) == ["+Once", "+Once"] }
        publication.stop()
        await eventually("the removal") { names(found.events).last == "-Once" }
        browsing.stop()
    }

    @Test("services of a subtype and of another type are kept apart by browsing (PEER-03)")
    func subtypes() async throws {
        let type = try newType()
        let with = try ServiceType(parsing: "\(type),_chess")
        let (one, oneEvents) = try publish("Chess", with)
        let (two, twoEvents) = try publish("Other", type)
        await eventually("both") { !oneEvents.events.isEmpty && !twoEvents.events.isEmpty }
        let (all, allFound) = try browse(type)
        let (chess, chessFound) = try browse(with)
        let (none, noneFound) = try browse(try newType())
        await eventually("both services") { Set(names(allFound.events)) == ["+Chess", "+Other"] }
        await eventually("the one") { names(chessFound.events) == ["+Chess"] }
        #expect(noneFound.events.isEmpty)
        for browsing in [all, chess, none] { browsing.stop() }
        for publication in [one, two] { publication.stop() }
    }

    @Test("the local domain is among the domains")
    func domains() async throws {
        for kind in [DomainBrowsing.Kind.browsing, .registration] {
            let found = Recorder<DomainBrowsing.Event>()
            let browsing = DomainBrowsing(kind) { found.add($0) }
            browsing.start()
            await eventually("a domain") { found.events.contains(.found("local", moreComing: false)) }
            browsing.stop()
        }
    }

    @Test(
        "a daemon that ends interrupts all with an error, and services are published and found again when it is back (PEER-15)"
    )
    func lostDaemon() async throws {
        let type = try newType()
        let (browsing, found) = try browse(type)
        let (publication, published) = try publish("Survivor", type)
        let (stopped, silent) = try publish("Stopped", type)
        await eventually("the discovery") {
            names(found.events).sorted() == ["+Stopped", "+Survivor"] && published.events.count == 1
        }
        server.stopDaemon()
        await eventually("the errors") { found.events.count == 5 && published.events.count == 2 }
        #expect(names(found.events).suffix(3).sorted() == ["-Stopped", "-Survivor", "?daemonLost"])
        guard case .interrupted(let error) = found.events.last, case .interrupted = published.events.last else {
            Issue.record("\(found.events) \(published.events)")
            return
        }
        #expect(error.code == .daemonLost)
        let (_, missing) = try browse(type)
        await eventually("the error") { !missing.events.isEmpty }
        guard case .failed(let absent) = missing.events.last else { return }
        #expect(absent.code == .daemonMissing)
        #expect(absent.hint.contains("avahi-daemon") && absent.hint.contains("address"))
        // What is stopped while the daemon is away does not come back; starting once more changes nothing.
        stopped.stop()
        publication.start()
        try server.startDaemon()
        await eventually("the second discovery", within: .seconds(60)) {
            names(found.events).last == "+Survivor" && published.events.count == 3
        }
        #expect(published.events.last == .published(name: "Survivor"))
        #expect(try server.browse(type.description).contains { $0.contains("Survivor") })
        #expect(names(found.events).count(where: { $0 == "+Stopped" }) == 1 && silent.events.count == 2)
        browsing.stop()
        publication.stop()
    }
}
